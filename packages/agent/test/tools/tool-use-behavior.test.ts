import { memoryStore, type FunctionToolResult, type ToolUseBehavior } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent, tool } from "../../src/index.ts";

const plain = { description: "A tool.", inputSchema: z.object({}), sideEffectClass: "pure" as const };
const ran: string[] = [];
const look = tool({ ...plain, name: "look", execute: () => "seen" });
const pay = tool({ ...plain, name: "pay", needsApproval: true, execute: () => ran.push("pay") });
const open = { logger: quiet, flow: "off" } as const;

const ask = { toolCalls: [{ name: "look" }, { name: "pay" }] };
const agentWith = (toolUseBehavior: ToolUseBehavior, store = memoryStore()) =>
  new Agent({
    ...open,
    name: "desk",
    store,
    model: scriptedModel([ask, "Paid."]),
    tools: [look, pay],
    toolUseBehavior,
  });

test("a toolUseBehavior function sees an approval before the run suspends; if it continues, the run suspends [tool.behavior.before-suspension]", async () => {
  const seen: (readonly FunctionToolResult[])[] = [];
  const store = memoryStore();
  const agent = agentWith((results) => (seen.push(results), { isFinalOutput: false }), store);
  const result = await agent.run("go");
  expect(result).toMatchObject({ status: "suspended", stopReason: "awaiting_approval" });
  expect(seen).toMatchObject([
    [
      { type: "function_output", tool: { name: "look" }, output: "seen" },
      { type: "function_approval", tool: { name: "pay" }, runItem: { kind: "approval", toolName: "pay" } },
    ],
  ]);
  expect((await agent.resume(result.runId, [result.interruptions[0]!.approve()])).text).toBe("Paid.");
  expect(seen[1]).toMatchObject([{ type: "function_output" }, { type: "function_output", tool: { name: "pay" } }]);
});

test("a toolUseBehavior function gets the context of the run [tool.behavior.function]", async () => {
  const seen: unknown[] = [];
  const agent = agentWith((_results, { runId, userId }) => {
    seen.push({ runId, userId });
    return { isFinalOutput: true, finalOutput: `For ${String(userId)}.` };
  });
  const { runId, text } = await agent.run("go", { userId: "ada" });
  expect(text).toBe("For ada.");
  expect(seen).toEqual([{ runId, userId: "ada" }]);
});

test.each([undefined, {}, { isFinalOutput: true }, { isFinalOutput: true, finalOutput: 5 }, { isFinalOutput: "yes" }])(
  "an answer %j of a toolUseBehavior function fails the run [tool.behavior.function]",
  async (answer) => {
    await expect(agentWith(() => answer as never).run("go")).rejects.toThrow(/toolUseBehavior.*isFinalOutput/u);
  },
);

test("a function that ends the run before it suspends rejects the open calls, also in the journal [tool.behavior.before-suspension]", async () => {
  ran.length = 0;
  const store = memoryStore();
  const agent = agentWith(
    (results) =>
      results.some(({ type }) => type === "function_approval")
        ? { isFinalOutput: true, finalOutput: "Nothing was paid." }
        : { isFinalOutput: false },
    store,
  );
  const result = await agent.run("go");
  expect(result).toMatchObject({
    status: "completed",
    stopReason: "stopped_by_tool",
    text: "Nothing was paid.",
    interruptions: [],
    toolCalls: [
      { toolName: "look", isError: false },
      { toolName: "pay", isError: true, error: { kind: "approval_denied" }, decisions: [{ type: "reject" }] },
    ],
  });
  expect(ran).toEqual([]);
  const { events } = await agent.inspect(result.runId);
  expect(events.find(({ type }) => type === "tool.approval.decided")).toMatchObject({
    toolName: "pay",
    decision: { type: "reject" },
    via: "toolUseBehavior",
  });
});

test("a suspended inner agent shows its questions, and a hosted tool its approval [tool.behavior.before-suspension]", async () => {
  const expert = new Agent({
    ...open,
    name: "expert",
    model: scriptedModel([{ toolCalls: [{ name: "pay" }] }, "Paid."]),
    tools: [pay],
  });
  const hosted = scriptedModel([]);
  const seen: (readonly FunctionToolResult[])[] = [];
  const toolUseBehavior: ToolUseBehavior = (results) => (
    seen.push(results),
    { isFinalOutput: true, finalOutput: "Ended." }
  );
  const outer = new Agent({
    ...open,
    name: "outer",
    model: scriptedModel([{ toolCalls: [{ name: "expert", arguments: { input: "pay" } }] }]),
    tools: [expert.asTool()],
    toolUseBehavior,
  });
  const result = await outer.run("go");
  expect(seen[0]).toMatchObject([
    { type: "function_output", tool: { name: "expert" }, interruptions: [{ kind: "approval", toolName: "pay" }] },
  ]);
  expect(result).toMatchObject({ text: "Ended.", toolCalls: [{ toolName: "expert", isError: true }] });
  const vendor = new Agent({
    ...open,
    name: "vendor",
    model: {
      ...hosted,
      async generate() {
        return {
          message: {
            id: "m",
            role: "assistant",
            content: [
              {
                type: "hosted_tool",
                toolCallId: "mcp_1",
                toolName: "delete_repo",
                input: {},
                approvalRequestId: "mcpr_1",
              },
            ],
            toolCalls: [],
            finishReason: "tool_calls",
            provenance: { provider: "p", api: "a", model: "m" },
          },
          usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
          finishReason: "tool_calls",
          raw: undefined,
          warnings: [],
        };
      },
    },
    toolUseBehavior,
  });
  const held = await vendor.run("go");
  expect(seen[1]).toMatchObject([
    { type: "hosted_mcp_tool_approval", tool: { name: "delete_repo" }, runItem: { kind: "approval" } },
  ]);
  expect(held).toMatchObject({ text: "Ended.", stopReason: "stopped_by_tool" });
  expect(held.messages.at(-1)).toMatchObject({ role: "tool", hostedApproval: { approved: false } });
});

test("an inner run that ended before a suspension is shown after the resume, also in another process [tool.behavior.agent-run-result-resumed]", async () => {
  const store = memoryStore();
  const seen: (readonly FunctionToolResult[])[] = [];
  const made = () => {
    const expert = new Agent({ ...open, name: "expert", model: scriptedModel(["blue"]) });
    return new Agent({
      ...open,
      name: "outer",
      store,
      model: scriptedModel((request) =>
        request.messages.length > 1
          ? "Done."
          : { toolCalls: [{ name: "expert", arguments: { input: "colour?" } }, { name: "pay" }] },
      ),
      tools: [expert.asTool(), pay],
      toolUseBehavior: (results) => (seen.push(results), { isFinalOutput: false }),
    });
  };
  const waiting = await made().run("go");
  await made().resume(waiting.runId, [waiting.interruptions[0]!.approve()]);
  expect(seen).toHaveLength(2);
  for (const results of seen)
    expect(results[0]).toMatchObject({
      type: "function_output",
      output: "blue",
      agentRunResult: { agentName: "expert", text: "blue", status: "completed" },
      interruptions: [],
    });
});
