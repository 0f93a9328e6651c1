import { memoryStore, tool, type RunEvent } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";

import { Agent } from "./index.ts";

const add = tool({
  name: "add",
  description: "Adds two numbers.",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  sideEffectClass: "pure",
  execute: ({ a, b }) => a + b,
});

const sum = [{ toolCalls: [{ name: "add", arguments: { a: 1, b: 2 } }] }, "It is 3."];

test("[run.loop.turn] a run asks the model, runs its calls, appends the results, and asks again", async () => {
  const model = scriptedModel(sum);
  const result = await new Agent({ name: "calculator", model, tools: [add] }).run("1 + 2?");
  expect(result).toMatchObject({ text: "It is 3.", status: "completed", stopReason: "completed" });
  expect(result.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: "3" });
});

test("suspend and resume", async () => {
  let ran = 0;
  const refund = tool({
    name: "refund",
    description: "Refunds.",
    inputSchema: z.object({ id: z.string() }),
    sideEffectClass: "external-stateful",
    needsApproval: true,
    execute: ({ id }) => {
      ran += 1;
      return `refunded ${id}`;
    },
  });
  const store = memoryStore();
  const agent = new Agent({ name: "desk", model: scriptedModel([{ toolCalls: [{ name: "refund", arguments: { id: "1" } }] }, "Done."]), tools: [refund], store });
  const events: RunEvent[] = [];
  const handle = agent.stream("refund 1");
  for await (const event of handle) events.push(event);
  const first = await handle.result;
  expect(first.status).toBe("suspended");
  expect(ran).toBe(0);
  const second = await agent.resume(first.runId, first.interruptions.map((i) => i.approve({ decidedBy: "ada" })));
  expect(second.text).toBe("Done.");
  expect(ran).toBe(1);
  const inspected = await agent.inspect(first.runId);
  console.log(inspected.events.map((e) => e.key).join(" "));
});
