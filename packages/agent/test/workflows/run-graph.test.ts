import { Agent, tool, type AgentOptions } from "@bailiwick/agent";
import { handoff, memoryStore } from "@bailiwick/core";
import { mermaid, runGraph, type RunGraph } from "@bailiwick/compose/graph";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const plain = { description: "A tool.", inputSchema: z.object({}) } as const;
const look = tool({ ...plain, name: "look", sideEffectClass: "read-only", execute: () => "seen" });
const broken = tool({
  ...plain,
  name: "broken",
  sideEffectClass: "pure",
  execute: () => {
    throw new Error("It is broken.");
  },
});
const pay = tool({
  ...plain,
  name: "pay",
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  needsApproval: true,
  describeCall: () => 'Pay "Ada" | <b>now</b>?',
  execute: () => "paid",
});

/** An agent that asks another one, and then hands the conversation over to a third one. */
function desk(options: Partial<AgentOptions> = {}) {
  const store = memoryStore();
  const base = { flow: "off", logger: quiet, store, ...options } as const;
  const expert = new Agent({
    ...base,
    name: "expert",
    model: scriptedModel([{ toolCalls: [{ name: "look" }] }, "It is blue."]),
    tools: [look],
  });
  const clerk = new Agent({
    ...base,
    name: "clerk",
    model: scriptedModel([{ toolCalls: [{ name: "pay" }] }, "Paid."]),
    tools: [pay],
  });
  const agent = new Agent({
    ...base,
    name: "desk",
    model: scriptedModel([
      { toolCalls: [{ name: "expert", arguments: { input: "Which colour?" } }, { name: "broken" }] },
      { toolCalls: [{ name: "transfer_to_clerk", arguments: {} }] },
    ]),
    tools: [expert.asTool(), broken],
    handoffs: [handoff(clerk)],
  });
  return { store, agent };
}

/** Nodes and edges by title. */
function drawn({ nodes, edges }: RunGraph) {
  const title = (id: string) => nodes.find((node) => node.id === id)?.title;
  return {
    nodes: nodes.map(({ kind, title, state, note, calls }) => [kind, title, state, calls ?? note]),
    edges: edges.map(({ from, kind, to, turn }) => [title(from), kind, title(to), turn]),
  };
}

test("the graph of a run has its agents, models, calls, hand-overs and questions, before and after the answer [events.graph] [feature:S146]", async () => {
  const { agent } = desk();
  const waiting = await agent.run("Pay for the blue one.");
  const question = 'Pay "Ada" | <b>now</b>?';
  const graph = await runGraph(agent, waiting.runId);
  expect(graph.runId).toBe(waiting.runId);
  expect(drawn(graph)).toEqual({
    nodes: [
      ["agent", "desk", "open", "awaiting_approval"],
      ["model", "scripted-1", "done", 2],
      ["tool", "expert", "done", undefined],
      ["tool", "broken", "failed", "execution_failed"],
      ["tool", "transfer_to_clerk", "open", undefined],
      ["agent", "expert", "done", "completed"],
      ["model", "scripted-1", "done", 2],
      ["tool", "look", "done", undefined],
      ["agent", "clerk", "open", "awaiting_approval"],
      ["model", "scripted-1", "done", 1],
      ["tool", "pay", "open", undefined],
      ["question", question, "open", undefined],
    ],
    edges: [
      ["desk", "asks", "scripted-1", undefined],
      ["desk", "calls", "expert", 1],
      ["desk", "calls", "broken", 1],
      ["desk", "calls", "transfer_to_clerk", 2],
      ["expert", "asks", "scripted-1", undefined],
      ["expert", "calls", "look", 1],
      ["expert", "runs", "expert", undefined],
      ["clerk", "asks", "scripted-1", undefined],
      ["clerk", "calls", "pay", 1],
      ["pay", "waits", question, undefined],
      ["transfer_to_clerk", "handoff", "clerk", undefined],
    ],
  });
  const [interruption] = waiting.interruptions;
  await agent.resume(waiting.runId, [{ id: interruption?.id ?? "", type: "approve", decidedBy: "olga" }]);
  const after = await runGraph(agent, waiting.runId);
  expect(after.nodes.filter(({ state }) => state === "open")).toEqual([]);
  expect(drawn(after).nodes).toContainEqual(["question", question, "done", "approve by olga"]);
  expect(after.edges).toEqual(graph.edges);
});

test("a sealed journal has a graph too, and a deleted run inside is left out [events.graph]", async () => {
  const { store, agent } = desk({ keys: { seal: "a key of at least 32 characters, kept elsewhere" } });
  const { runId } = await agent.run("Pay for the blue one.");
  const graph = await runGraph(agent, runId);
  expect(JSON.stringify(await store.load(runId))).not.toContain("Which colour?");
  expect(drawn(graph).nodes.at(-1)?.[1]).toBe('Pay "Ada" | <b>now</b>?');
  expect(graph.edges).toHaveLength(11);
  await store.deleteRun(graph.nodes.find(({ title, kind }) => title === "expert" && kind === "agent")?.runId ?? "");
  const without = await runGraph(agent, runId);
  expect(without.nodes).toHaveLength(graph.nodes.length - 3);
  expect(without.edges).toHaveLength(graph.edges.length - 3);
});

test("the Mermaid text of a graph has one line for each node and edge, and no sign of a title that Mermaid reads [events.graph.mermaid]", async () => {
  const { agent } = desk();
  const graph = await runGraph(agent, (await agent.run("Pay.")).runId);
  const text = mermaid(graph);
  const lines = text.split("\n");
  expect(lines[0]).toBe("flowchart LR");
  expect(lines.filter((line) => /^ {2}n\d+\S* *\S*.*:::(done|failed|open)$/u.test(line))).toHaveLength(
    graph.nodes.length,
  );
  expect(lines.filter((line) => / -->\|[a-z]+(, turn \d+)?\| n\d+$/u.test(line))).toHaveLength(graph.edges.length);
  expect(text).toContain('{{"Pay #34;Ada#34; #124; #60;b#62;now#60;#47;b#62;#63;"}}:::open');
  expect(text).toContain('["desk<br/>awaiting_approval"]:::open');
});

test("a run that is not in the store has no graph", async () => {
  await expect(runGraph(desk().agent, "none")).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
});
