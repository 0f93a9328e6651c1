import type { EndorseRequest } from "@bailiwick/core";
import { expect, test } from "vitest";
import { z } from "zod";

import { endorseValue } from "./endorse-value.ts";
import { emptyFlowState } from "./flow-state.ts";
import { resolved } from "./resolved.test.helper.ts";

test("a name that is not a path is an argument, and a value without a label has no source [quarantine.endorse]", async () => {
  const state = emptyFlowState();
  state.calls.set("t1/c0", { id: "t1/c0", toolName: "mail", args: {}, ran: true, userMessages: 0, output: "x" });
  const recorded: unknown[] = [];
  const args = { "to[": "x" };
  const request = (ref: string): EndorseRequest => ({
    call: { turn: 2, index: 0, toolCallId: "c", tool: resolved(), args, input: args },
    ref,
    validator: "x",
    validate: async (value) => z.literal("x").parse(value),
    reason: "r",
  });
  const endorsing = { state, start: { record: (event: unknown) => void recorded.push(event) } };
  expect(await endorseValue(request("to["), endorsing)).toBe("x");
  expect(recorded).toEqual([]);
  await expect(endorseValue(request("from["), endorsing)).rejects.toMatchObject({ code: "ENDORSEMENT_IMPOSSIBLE" });
  expect(await endorseValue(request("$ref:t1/c0"), endorsing)).toBe("x");
  expect(recorded).toMatchObject([{ subject: "$ref:t1/c0", from: "untrusted" }]);
});
