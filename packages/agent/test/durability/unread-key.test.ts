import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { Agent, tool, type ToolExecutionContext } from "../../src/index.ts";

/** Warnings of an agent that calls its tool twice. */
async function warningsOf(
  execute: (input: object, ctx: ToolExecutionContext) => unknown,
  more: object = {},
): Promise<readonly string[]> {
  const lines: string[] = [];
  const warn = (line: string): void => void lines.push(line);
  const logger = { debug: () => undefined, info: () => undefined, warn, error: () => undefined };
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    execute,
    ...more,
  });
  const call = { toolCalls: [{ name: "pay", arguments: {} }] };
  const model = scriptedModel([call, call, "Done."]);
  await new Agent({ name: "a", logger, model, tools: [pay] }).run("Pay twice.");
  return lines.filter((line) => line.includes("did not read"));
}

test("a tool that declares idempotencyKey and never reads it causes one warning [tool.field.idempotency-key.unread]", async () => {
  expect(await warningsOf(() => "paid")).toEqual([
    expect.stringMatching(/"pay" declares idempotencyKey: "call", but its execute did not read ctx\.idempotencyKey/u),
  ]);
  expect(await warningsOf(async () => "paid")).toHaveLength(1);
});

test("a tool that reads its key, or keeps its promise in another way, causes no warning [tool.field.idempotency-key.unread]", async () => {
  expect(await warningsOf((_input, ctx) => ctx.idempotencyKey)).toEqual([]);
  expect(await warningsOf((_input, { idempotencyKey }) => idempotencyKey)).toEqual([]);
  expect(await warningsOf((_input, ctx) => typeof ctx.runOptions)).toEqual([]);
  expect(await warningsOf(() => "paid", { lookup: () => ({ status: "unknown" }) })).toEqual([]);
  expect(await warningsOf(() => "paid", { idempotencyKey: () => "order 7" })).toEqual([]);
  expect(
    await warningsOf(() => {
      throw new Error("The service is closed.");
    }),
  ).toEqual([]);
});
