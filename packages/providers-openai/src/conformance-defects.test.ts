import type { ModelProvider, StreamChunk } from "@bailiwick/core";
import { providerConformance } from "@bailiwick/testing/conformance";
import { expect, test } from "vitest";
import { openai } from "./index.ts";

/** Adapters that break one rule each. */
const defects: Readonly<Record<string, (model: ModelProvider) => Partial<ModelProvider>>> = {
  "ends its streams without saying so": (model) => ({
    stream: (request) => filtered(model.stream(request), (chunk) => chunk.type !== "finish"),
  }),
  "asks again by itself": (model) => ({
    generate: (request) => model.generate(request).catch(() => model.generate(request)),
  }),
  "loses the words of a streamed answer": (model) => ({
    stream: (request) => filtered(model.stream(request), (chunk) => chunk.type !== "text"),
  }),
  "counts no tokens": (model) => ({
    generate: async (request) => {
      const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
      const response = await model.generate(request);
      return { ...response, usage, message: { ...response.message, usage } };
    },
  }),
};

async function* filtered(
  chunks: AsyncIterable<StreamChunk>,
  keep: (chunk: StreamChunk) => boolean,
): AsyncGenerator<StreamChunk> {
  for await (const chunk of chunks) if (keep(chunk)) yield chunk;
}

/** The cases of the exported kit that an adapter fails, by name. */
async function failures(change: (model: ModelProvider) => Partial<ModelProvider>): Promise<readonly string[]> {
  const cases = providerConformance(
    ({ baseURL, apiKey }) => {
      const model = openai("gpt-5.5", { apiKey, baseURL: baseURL("openai") });
      return { ...model, ...change(model) };
    },
    { runs: 2, splitEvery: 400 },
  );
  const failed: string[] = [];
  for (const { name, run } of cases.filter(({ name: title }) => !title.includes("any run"))) {
    await run().catch(() => failed.push(name));
  }
  return failed;
}

test("the exported kit passes for a correct adapter [feature:X105]", async () => {
  expect(await failures(() => ({}))).toEqual([]);
});

test.each(Object.entries(defects))(
  "the exported kit finds an adapter that %s [feature:X105]",
  async (_what, change) => {
    const failed = await failures(change);
    expect(failed.length).toBeGreaterThan(0);
    for (const name of failed) expect(name).toMatch(/\[[a-z]+\./);
  },
);
