import type { Message, ModelProvider } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { countTokens } from "gpt-tokenizer";
import { expect, test } from "vitest";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off" } as const;

/** 400 characters of Chinese: 100 tokens by the estimate, several hundred by any tokenizer. */
const chinese: Message = { id: "zh", role: "user", content: "退款请求编号一零四二".repeat(40) };

async function keeps(model: ModelProvider, asked: () => readonly Message[], countBy?: (text: string) => number) {
  const agent = new Agent({
    ...base,
    model,
    contextCompactor: { maxContextTokens: 250, strategy: "trim", countTokens: countBy },
  });
  const output = await agent.run("go", { messages: [chinese, { id: "pad", role: "user", content: "pad" }] });
  return { kept: asked().some(({ id }) => id === "zh"), warnings: output.warnings };
}

test("a tokenizer corrects the estimate [context.count-tokens]", async () => {
  const estimated = scriptedModel(() => "Done.");
  expect((await keeps(estimated, () => estimated.requests[0]?.messages ?? [])).kept).toBe(true);
  const model = scriptedModel(() => "Done.");
  expect((await keeps(model, () => model.requests[0]?.messages ?? [], countTokens)).kept).toBe(false);
});

test("if a tokenizer fails, the estimate is used [context.count-tokens]", async () => {
  const model = scriptedModel(() => "Done.");
  expect(
    (
      await keeps(
        model,
        () => model.requests[0]?.messages ?? [],
        () => Number.NaN,
      )
    ).kept,
  ).toBe(true);
  expect(model.requests).toHaveLength(1);
});
