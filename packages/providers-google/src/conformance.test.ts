import { providerConformance } from "@bailiwick/testing/conformance";
import { describe, test } from "vitest";
import { google } from "./index.ts";

const rows = [
  { name: "Gemini 3", model: "gemini-3-pro", traits: {} },
  { name: "Gemini 2.5", model: "gemini-2.5-flash", traits: { splitEvery: 7, callIds: false } },
] as const;

for (const { name, model, traits } of rows) {
  describe(`google with ${name}`, () => {
    const cases = providerConformance(
      (server) => google(model, { apiKey: server.apiKey, baseURL: server.baseURL("google") }),
      { rawArguments: false, emptyAnswers: false, openingEvents: 0, ...traits },
    );
    for (const one of cases) test(`${one.name} (${model})`, one.run);
  });
}
