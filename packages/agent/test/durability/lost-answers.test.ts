import { OutcomeUnknownError, memoryStore, tool } from "@bailiwick/core";
import type { Tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const losing = (changes: Partial<Tool>, kind?: "timeout"): Tool => ({
  ...tool({
    name: "order",
    description: "Orders.",
    inputSchema: { type: "object" },
    execute: () => {
      throw new OutcomeUnknownError("The shop did not answer.", { kind });
    },
  }),
  ...changes,
});
const failureOf = async (one: Tool): Promise<unknown> => {
  const agent = new Agent({
    name: "agent",
    model: scriptedModel([{ toolCalls: [{ name: "order", arguments: {} }] }, "Done."]),
    logger: quiet,
    tools: [one],
    store: memoryStore(),
    flow: "off",
  });
  const output = await agent.run("go");
  expect(output.status).toBe("completed");
  return output.toolCalls[0]?.error;
};

test("when a tool reports a lost answer, a writer's outcome is unknown and a reader has failed", async () => {
  expect(await failureOf(losing({ sideEffectClass: "external-stateful" }))).toMatchObject({
    kind: "unknown_outcome",
    effectHappened: "unknown",
    message: expect.stringContaining("The shop did not answer.") as string,
  });
  expect(
    await failureOf(losing({ sideEffectClass: "external-stateful", idempotencyKey: "call" }, "timeout")),
  ).toMatchObject({
    kind: "timeout",
    effectHappened: "unknown",
    message: expect.stringContaining("calling it again with the same arguments is safe") as string,
  });
  const read = await failureOf(losing({ sideEffectClass: "read-only" }));
  expect(read).toMatchObject({ kind: "execution_failed" });
  expect(read).not.toHaveProperty("effectHappened");
  expect(await failureOf(losing({ sideEffectClass: "read-only" }, "timeout"))).toMatchObject({ kind: "timeout" });
});
