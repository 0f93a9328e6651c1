// The results that `toolUseBehavior` of OpenAI Agents receives: outputs, and approvals that a person has to decide.
import { Agent, tool, type FunctionToolResult } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { z } from "zod";
import { row } from "./row.ts";

const plain = { inputSchema: z.object({}), sideEffectClass: "pure", description: "A tool." } as const;
const look = tool({ ...plain, name: "look", execute: () => "seen" });
const pay = tool({ ...plain, name: "pay", needsApproval: true, execute: () => "paid" });
const seen: FunctionToolResult[] = [];
const toolUseBehavior = (results: readonly FunctionToolResult[]) => {
  seen.push(...results);
  return { isFinalOutput: true as const, finalOutput: "Ended." };
};
const expert = new Agent({ name: "expert", model: scriptedModel(["blue"]) });
const payer = new Agent({
  name: "payer",
  model: scriptedModel([{ toolCalls: [{ name: "pay" }] }]),
  tools: [pay],
});
const desk = new Agent({
  name: "desk",
  model: scriptedModel([
    {
      toolCalls: [
        { name: "look" },
        { name: "expert", arguments: { input: "Which colour?" } },
        { name: "payer", arguments: { input: "Pay." } },
        { name: "pay" },
      ],
    },
  ]),
  tools: [look, pay, expert.asTool(), payer.asTool()],
  toolUseBehavior,
});
await desk.run("go");

// A tool that the vendor runs, and that waits for a person.
const scripted = scriptedModel([]);
const vendor = new Agent({
  name: "vendor",
  toolUseBehavior,
  model: {
    ...scripted,
    generate: async () => ({
      message: {
        id: "m1",
        role: "assistant",
        content: [
          { type: "hosted_tool", toolCallId: "mcp_1", toolName: "delete_repo", input: {}, approvalRequestId: "mcpr_1" },
        ],
        toolCalls: [],
        finishReason: "tool_calls",
        provenance: { provider: "p", api: "a", model: "m" },
      },
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      finishReason: "tool_calls",
      raw: undefined,
      warnings: [],
    }),
  },
});
await vendor.run("go");

const outputs = seen.filter((one) => one.type === "function_output");
const looked = outputs.find((one) => one.tool.name === "look");
const approval = seen.find((one) => one.type === "function_approval");
const hosted = seen.find((one) => one.type === "hosted_mcp_tool_approval");
row("FunctionToolResult.type:function_output", looked?.type);
row("FunctionToolResult.output", looked?.output, "seen");
row("FunctionToolResult.runItem", looked?.runItem.toolName, "look");
row("FunctionToolResult.tool", looked?.tool.name, "look");
row(
  "FunctionToolResult.agentRunResult",
  outputs.find((one) => one.tool.name === "expert")?.agentRunResult?.text,
  "blue",
);
row(
  "FunctionToolResult.interruptions",
  outputs.find((one) => one.tool.name === "payer")?.interruptions?.[0]?.toolName,
  "pay",
);
row("FunctionToolResult.type:function_approval", approval?.type);
row("function_approval.runItem", approval?.runItem.kind, "approval");
row("FunctionToolResult.type:hosted_mcp_tool_approval", hosted?.type);
row("hosted_mcp_tool_approval.tool", hosted?.tool.name, "delete_repo");
