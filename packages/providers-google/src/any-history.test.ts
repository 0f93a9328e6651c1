import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import type { ModelProvider } from "@bailiwick/core";
import { anthropic } from "@bailiwick/providers-anthropic";
import { compat, openai } from "@bailiwick/providers-openai";
import { modelServer, type ChatServer } from "@bailiwick/testing/model-server";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyMessage, ownedBy } from "./any-message.fixture.ts";
import { look } from "./ask.fixture.ts";
import { google } from "./index.ts";
import { typeErrors, type TypedWire } from "./vendor-types.fixture.ts";

type Made = (at: (vendor: "openai" | "anthropic" | "google") => string) => ModelProvider;
const apiKey = "test";
const targets: Readonly<Record<string, readonly [wire: TypedWire, made: Made]>> = {
  "Responses, reasoning": ["responses", (at) => openai("gpt-5.5", { apiKey, baseURL: at("openai") })],
  Responses: ["responses", (at) => openai("gpt-4.1", { apiKey, baseURL: at("openai") })],
  Chat: ["chat", (at) => openai("gpt-4.1", { api: "chat", apiKey, baseURL: at("openai") })],
  "Claude 5": ["messages", (at) => anthropic("claude-opus-5", { apiKey, baseURL: at("anthropic") })],
  "Claude 4.5": ["messages", (at) => anthropic("claude-sonnet-4-5", { apiKey, baseURL: at("anthropic") })],
  "Gemini 3": ["generate", (at) => google("gemini-3-pro", { apiKey, baseURL: at("google") })],
  "Gemini 2.5": ["generate", (at) => google("gemini-2.5-flash", { apiKey, baseURL: at("google") })],
};

for (const [name, [wire, make]] of Object.entries(targets)) {
  test(`any history compiles to a request that the vendor accepts (${name}) [providers.proof.any-history]`, async () => {
    await using server = await modelServer(() => "ok");
    const model = make((vendor) => server.baseURL(vendor));
    await fc.assert(
      fc.asyncProperty(fc.array(anyMessage, { maxLength: 8 }), async (messages) => {
        const history = compileHistory(ownedBy(messages, model), historyTarget(model));
        const refusals = async (): Promise<readonly string[]> => {
          const before = server.requests.length;
          await model.generate({ messages: history.messages, tools: [look] });
          return server.requests.slice(before).flatMap(({ refusedBy }) => refusedBy ?? []);
        };
        // A conversation with a signature of another vendor is refused once; then it is sent without.
        const rules = await refusals();
        if (rules.length === 0) return;
        expect(rules).toEqual([expect.stringMatching(/-signature-invalid$/u)]);
        expect(await refusals()).toEqual([]);
      }),
      { numRuns: 150 },
    );
    // The strict server is ours; the types come from the vendors.
    expect(
      typeErrors(
        wire,
        server.requests.map(({ body }) => body),
      ),
    ).toEqual([]);
  });
}

// Azure's key is in a header that the model server does not read; its wire is the same as OpenAI's.
for (const name of Object.keys(compat).filter((one): one is ChatServer => one !== "azure")) {
  test(`any history compiles to a request that fits the rules of the server (${name}) [providers.proof.any-history]`, async () => {
    await using server = await modelServer(() => "ok", { server: name });
    const model = openai("some-model", {
      api: "chat",
      compat: name,
      apiKey,
      baseURL: server.baseURL("openai"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyMessage, { maxLength: 8 }), async (messages) => {
        const history = compileHistory(ownedBy(messages, model), historyTarget(model));
        await model.generate({ messages: history.messages, tools: [look] });
      }),
      { numRuns: 60 },
    );
    expect(server.requests.flatMap(({ refusedBy }) => refusedBy ?? [])).toEqual([]);
  });
}
