// A long result with the strategy `summarize`: a model writes a shorter text, within the limit of the result.
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { Agent, tool } from "../../src/index.ts";

const logger = { debug() {}, info() {}, warn() {}, error() {} };

/** The request of the summarizing model, and the text that the agent's model reads then. */
async function summarized(result: string, maxResultTokens: number, summary: string) {
  const summarizer = scriptedModel(() => summary);
  const model = scriptedModel([{ toolCalls: [{ name: "read_log", arguments: {} }] }, "Done."]);
  const readLog = tool({
    name: "read_log",
    description: "Reads the log.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    maxResultTokens,
    truncationStrategy: "summarize",
    execute: () => result,
  });
  const agent = new Agent({ name: "reader", model, tools: [readLog], toolResultLimit: { model: summarizer }, logger });
  await agent.run("Read the log.");
  const results = model.requests[1]?.messages.filter(({ role }) => role === "tool");
  return { request: summarizer.requests[0], read: JSON.stringify(results) };
}

test("the summary may have an eighth of the limit's bytes in tokens, and at least 64", async () => {
  const asked = async (maxResultTokens: number) =>
    (await summarized("x".repeat(40_000), maxResultTokens, "short")).request?.maxTokens;
  expect(await asked(2_000)).toBe(1_000);
  expect(await asked(129)).toBe(64);
  expect(await asked(130)).toBe(65);
  expect(await asked(20)).toBe(64);
});

test("the summarizing model reads at most 200,000 bytes of the result, whole up to there", async () => {
  const sent = async (length: number) =>
    JSON.stringify((await summarized("x".repeat(length), 100, "short")).request?.messages);
  expect(await sent(200_000)).toContain("x".repeat(200_000));
  const cut = await sent(200_001);
  expect(cut).toContain("of 200001 characters left out");
  expect(cut.length).toBeLessThan(200_300);
});

test("a summary that fills its space exactly is whole, and a longer one is cut within the limit", async () => {
  const result = "x".repeat(4_000);
  const note = "\n[Summary of a result of 4000 characters.]";
  const room = 400 - note.length;
  expect((await summarized(result, 100, "s".repeat(room))).read).toContain("s".repeat(room));
  const longer = (await summarized(result, 100, "s".repeat(room + 1))).read;
  expect(longer).toContain(`of ${room + 1} characters left out`);
  expect(longer).toContain("[Summary of a result of 4000 characters.]");
});
