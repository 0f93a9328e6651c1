import { agentRuntimeOf } from "@bailiwick/core/extension";
import { memoryStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { Agent, tool } from "../../src/index.ts";

const pay = tool({
  name: "pay",
  description: "Pays.",
  inputSchema: z.object({ amount: z.number() }),
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  needsApproval: true,
  execute: () => "paid",
});

test("cancel() ends a run even if the agent no longer has its pending tool", async () => {
  const store = memoryStore();
  const flow = { mode: "off" } as const;
  const before = new Agent({
    name: "clerk",
    model: scriptedModel([{ toolCalls: [{ name: "pay", arguments: { amount: 3 } }] }]),
    tools: [pay],
    store,
    flow,
  });
  const { runId, status } = await before.run("Pay 3.");
  expect(status).toBe("suspended");

  const after = new Agent({ name: "clerk", model: scriptedModel([]), store, flow });
  await expect(after.resume(runId)).rejects.toMatchObject({ code: "TOOL_MISSING" });
  await after.cancel(runId, "no longer needed");
  const { run, output, interruptions } = await after.inspect(runId);
  expect(run.state).toBe("cancelled");
  expect(output?.status).toBe("cancelled");
  expect(interruptions).toEqual([]);
});

test("decide() stores a decision without resuming the run, and resume() applies it", async () => {
  const store = memoryStore();
  const options = { name: "clerk", tools: [pay], store, flow: { mode: "off" } as const };
  const script = [{ toolCalls: [{ name: "pay", arguments: { amount: 3 } }] }, "Paid."];
  const agent = new Agent({ ...options, model: scriptedModel(script) });
  const { runId, interruptions } = await agent.run("Pay 3.");
  const runtime = agentRuntimeOf(agent);
  const decisions = interruptions.map((question) => question.approve());

  expect(await runtime?.decide(runId, decisions)).toBe(1);
  expect((await store.getRun(runId))?.state).toBe("queued");
  await expect(runtime?.decide(runId, [{ id: "none", type: "approve" }])).rejects.toMatchObject({
    code: "UNKNOWN_DECISION",
  });
  expect((await agent.resume(runId)).toolCalls[0]?.output).toBe("paid");
});
