import { scriptedModel } from "@bailiwick/testing";
import { pipeline } from "../../src/compose.ts";
import { expect, test } from "vitest";
import {
  agentTool,
  createAgentRuntime,
  memoryStore,
  tool,
  type AgentRuntime,
  type Runnable,
  type RunStore,
  type Tool,
} from "@bailiwick/core";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const shared = { flow: "off", logger: quiet, retry: { maxRetries: 0 } } as const;

const pay = (paid: string[]): Tool =>
  tool({
    name: "pay",
    description: "Pays.",
    inputSchema: { type: "object" },
    sideEffectClass: "external-stateful",
    needsApproval: true,
    execute: () => {
      paid.push("paid");
      return "Paid.";
    },
  }) as Tool;

/** An agent that calls one tool, and then answers. */
function calling(name: string, toolName: string, store: RunStore, tools: readonly Tool[]): AgentRuntime {
  const model = scriptedModel(({ toolResults }) =>
    toolResults.length === 0 ? { toolCalls: [{ name: toolName, arguments: { input: "Go." } }] } : "Done.",
  );
  return createAgentRuntime({ ...shared, name, model, store, tools: [...tools] });
}

/** Compositions around a clerk who pays; `hasTool` is false in the version of the code that lost the tool. */
const around: Readonly<Record<string, (clerk: Runnable, store: RunStore) => Pick<AgentRuntime, "run" | "resume">>> = {
  "an agent as a tool": (clerk, store) => calling("desk", "clerk", store, [agentTool(clerk)]),
  "an agent as a tool of one as a tool": (clerk, store) =>
    calling("desk", "office", store, [agentTool(calling("office", "clerk", store, [agentTool(clerk)]))]),
  "a pipeline as a tool": (clerk, store) =>
    calling("desk", "line", store, [agentTool(pipeline({ name: "line" }, clerk))]),
};

test.each(Object.entries(around))(
  "a tool that is gone inside %s stops the outer run, which is resumed once the tool is back [run.resume.tool-missing]",
  async (_name, make) => {
    const store = memoryStore();
    const paid: string[] = [];
    const version = (tools: readonly Tool[]) => make(calling("clerk", "pay", store, tools), store);
    const waiting = await version([pay(paid)]).run("Go.");
    expect(waiting.status).toBe("suspended");
    const approvals = waiting.interruptions.map((each) => each.approve());
    for (let times = 0; times < 2; times += 1) {
      const error: unknown = await version([])
        .resume(waiting.runId, approvals)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "TOOL_MISSING", toolName: "pay" });
    }
    expect([paid, (await store.getRun(waiting.runId))?.state]).toEqual([[], "queued"]);
    const done = await version([pay(paid)]).resume(waiting.runId, approvals);
    expect(done.status).toBe("completed");
    expect(paid).toEqual(["paid"]);
  },
);

test("the other calls of a turn end before a tool that is gone inside stops the run [run.resume.tool-missing]", async () => {
  const store = memoryStore();
  const paid: string[] = [];
  const looked: string[] = [];
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: { type: "object" },
    sideEffectClass: "external-stateful",
    needsApproval: true,
    execute: async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      looked.push("looked");
      return "Seen.";
    },
  }) as Tool;
  const version = (tools: readonly Tool[]) =>
    createAgentRuntime({
      ...shared,
      name: "desk",
      store,
      tools: [agentTool(calling("clerk", "pay", store, tools)), look],
      model: scriptedModel(({ toolResults }) =>
        toolResults.length === 0
          ? {
              toolCalls: [
                { name: "clerk", arguments: { input: "Go." } },
                { name: "look", arguments: {} },
              ],
            }
          : "Done.",
      ),
    });
  const waiting = await version([pay(paid)]).run("Go.");
  expect(waiting.interruptions).toHaveLength(2);
  const approvals = waiting.interruptions.map((each) => each.approve());
  await expect(version([]).resume(waiting.runId, approvals)).rejects.toMatchObject({ code: "TOOL_MISSING" });
  expect([paid, looked]).toEqual([[], ["looked"]]);
  const done = await version([pay(paid)]).resume(waiting.runId);
  expect([done.status, paid, looked]).toEqual(["completed", ["paid"], ["looked"]]);
});

test("a run whose inner tool is gone can be cancelled [run.resume.tool-missing]", async () => {
  const store = memoryStore();
  const version = (tools: readonly Tool[]) =>
    calling("desk", "clerk", store, [agentTool(calling("clerk", "pay", store, tools))]);
  const waiting = await version([pay([])]).run("Go.");
  const approvals = waiting.interruptions.map((each) => each.approve());
  await expect(version([]).resume(waiting.runId, approvals)).rejects.toMatchObject({ code: "TOOL_MISSING" });
  await version([]).cancel(waiting.runId);
  expect((await store.getRun(waiting.runId))?.state).toBe("cancelled");
});
