import { memoryStore, type ModelProvider } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { drivenNow } from "../durability/drive-due.test.helper.ts";
import { handClock } from "../durability/durable-world.test.helper.ts";
import { counter, failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const call = { toolCalls: [{ name: "write", arguments: { line: "one" } }] };

/** A model that answers in place of one caller. */
const callersModel = (): ModelProvider => ({
  ...scriptedModel(({ toolResults }) => (toolResults.length === 0 ? call : "Written.")),
  ofCaller: true,
});

/** A run with a caller's model, suspended before its only call. */
async function suspendedCall(deadlineAt?: number) {
  const clock = handClock();
  const store = memoryStore({ clock });
  const { write, ran } = counter({ needsApproval: true });
  const own = scriptedModel(() => "The agent's own model.");
  const agent = new Agent({ name: "agent", logger: quiet, model: own, tools: [write], store, flow: "off", clock });
  const asked = await agent.run("Call write.", { model: callersModel(), deadlineAt });
  expect(asked.status).toBe("suspended");
  const approve = asked.interruptions.map((one) => one.approve());
  return { clock, store, agent, own, ran, approve, runId: asked.runId };
}

test("a run with a model of its caller is resumed with such a model only [run.resume]", async () => {
  const { agent, own, ran, approve, runId } = await suspendedCall();
  expect(await failureOf(agent.resume(runId, approve))).toMatchObject({ code: "CALLER_MODEL_MISSING" });
  expect(ran).toEqual([]);
  const done = await agent.resume(runId, approve, { model: callersModel() });
  expect(done).toMatchObject({ status: "completed", text: "Written." });
  expect(ran).toEqual(["one"]);
  expect(own.requests).toEqual([]);
});

test("a worker leaves a run with a model of its caller to the caller until its deadline [run.resume]", async () => {
  const { store, agent, own, approve, runId } = await suspendedCall(60_000);
  await agent.decide(runId, approve);
  expect(await drivenNow(agent)).toEqual([]);
  expect(await store.queueDepth()).toMatchObject([{ agentId: "agent", queued: 0, delayed: 1 }]);
  const done = await agent.resume(runId, [], { model: callersModel() });
  expect(done).toMatchObject({ status: "completed", text: "Written." });
  expect(own.requests).toEqual([]);
});

test("a worker ends a run with a model of its caller after its deadline and asks no model [run.resume]", async () => {
  const { clock, agent, own, runId } = await suspendedCall(60_000);
  await agent.steer(runId, "Continue.");
  expect(await drivenNow(agent)).toEqual([]);
  clock.pass(60_000);
  expect(await drivenNow(agent)).toMatchObject([{ status: "failed" }]);
  const { events } = await agent.inspect(runId);
  expect(events.at(-1)).toMatchObject({ type: "run.end", error: { code: "RUN_EXPIRED" } });
  expect(own.requests).toEqual([]);
});

test("a run with a model of its caller can be cancelled without it [seams.surface.cancel]", async () => {
  const { agent, ran, runId } = await suspendedCall();
  await agent.cancel(runId);
  expect((await agent.inspect(runId)).run.state).toBe("cancelled");
  expect(ran).toEqual([]);
});
