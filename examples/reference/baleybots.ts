// `ToolExecutionOptions` of BaleyBots: what a tool gets of the call and of the options of its run.
import { Agent, tool, type ToolExecutionContext } from "@bailiwick/agent";
import { toChatMessage, type InheritedRunOptions, type TokenEvent } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { z } from "zod";
import { row } from "./row.ts";

const heard: string[] = [];
const said: string[] = [];
let context: ToolExecutionContext | undefined;
let inherited: InheritedRunOptions | undefined;
// `defineZodTool` is `tool`.
const note = tool({
  name: "my_tool",
  description: "A tool with context.",
  inputSchema: z.object({ data: z.string() }),
  sideEffectClass: "pure",
  needsApproval: true,
  execute: ({ data }, ctx) => {
    context = ctx;
    inherited = ctx.runOptions;
    return { processed: data };
  },
});
const script = () =>
  scriptedModel([{ toolCalls: [{ id: "call_1", name: "my_tool", arguments: { data: "x" } }] }, "Done.", "Never."]);
const agent = new Agent({
  name: "bot",
  model: scriptedModel([]),
  tools: [note],
  instructions: (ctx) => `Document: ${String(ctx.extraVars["document"])}`,
  logger: { debug: (line) => said.push(line), info: (line) => said.push(line), warn: () => {}, error: () => {} },
});
const model = script();
const controller = new AbortController();
const result = await agent.run("Process x.", {
  model,
  signal: controller.signal,
  temperature: 0.2,
  maxTokens: 100,
  enableCaching: true,
  extraVars: { document: "d1" },
  conversationHistory: [
    { role: "user", content: "Hello." },
    { role: "assistant", content: "Hello, what is it?" },
  ],
  stopWhen: ({ steps }) => steps >= 9,
  hooksAreFatal: true,
  verbose: true,
  hooks: {
    onNodeStart: ({ nodeLabel }) => void heard.push(`onNodeStart ${nodeLabel}`),
    onNodeEnd: ({ nodeLabel }) => void heard.push(`onNodeEnd ${nodeLabel}`),
  },
  onStart: (name) => void heard.push(`onStart ${name}`),
  onComplete: (name, { text }) => void heard.push(`onComplete ${name} ${text}`),
  onError: (name, error) => void heard.push(`onError ${name} ${error.message}`),
  onApprovalRequired: (name, call, definition) => {
    heard.push(`onApprovalRequired ${name} ${call.name} ${definition?.name}`);
    return { approved: true };
  },
  onToken: {
    onTextDelta: (name, event) => void heard.push(`onTextDelta ${name} ${event.content}`),
    onToolExecutionStart: (_name, event) => void heard.push(`onToolExecutionStart ${event.toolName}`),
    onToolExecutionOutput: (_name, event) => void heard.push(`onToolExecutionOutput ${JSON.stringify(event.result)}`),
  },
});
const told = (word: string) => heard.find((line) => line.startsWith(word));

row("process()", result.text, "Done.");
row("defineZodTool", result.toolCalls[0]?.toolName, "my_tool");
row("ToolExecutionOptions.toolCallId", context?.toolCallId, "call_1");
row("ToolExecutionOptions.messages", context?.messages.length);
row("ToolExecutionOptions.abortSignal", context?.abortSignal.aborted, false);
row("ToolExecutionOptions.signal", context?.signal === context?.abortSignal, true);
row("ToolExecutionOptions.extraVars", context?.extraVars, { document: "d1" });
row("ToolExecutionOptions.model", inherited?.model === model, true);
row("ToolExecutionOptions.temperature", model.requests[0]?.temperature, 0.2);
row("ToolExecutionOptions.maxTokens", model.requests[0]?.maxTokens, 100);
row("ToolExecutionOptions.enableCaching", model.requests[0]?.caching, "shared");
row(
  "ToolExecutionOptions.conversationHistory",
  model.requests[0]?.messages.map(({ role }) => role),
  ["system", "user", "assistant", "user"],
);
row("ToolExecutionOptions.stopWhen", typeof inherited?.stopWhen, "function");
row("ToolExecutionOptions.hooks", told("onNodeStart"), "onNodeStart bot");
row("ToolExecutionOptions.verbose", said.length > 0, true);
row("ToolExecutionOptions.onStart", told("onStart"), "onStart bot");
row("ToolExecutionOptions.onComplete", told("onComplete"), "onComplete bot Done.");
row("ToolExecutionOptions.onApprovalRequired", told("onApprovalRequired"), "onApprovalRequired bot my_tool my_tool");
row("ToolExecutionOptions.onToken", told("onTextDelta"));
row("ToolExecutionOptions.onToken: onTextDelta", told("onTextDelta"), "onTextDelta bot Done.");
row("ToolExecutionOptions.onToken: onToolExecutionStart", told("onToolExecutionStart"), "onToolExecutionStart my_tool");
row(
  "ToolExecutionOptions.onToken: onToolExecutionOutput",
  told("onToolExecutionOutput"),
  'onToolExecutionOutput {"processed":"x"}',
);

// A message in the form of the wire.
const call = result.messages.find(({ role, id }) => role === "assistant" && id !== result.messages[1]?.id);
const wires = result.messages.map((message) => toChatMessage(message));
const asked = wires.find((message) => "tool_calls" in message && message.tool_calls !== undefined);
const answered = wires.find((message) => "tool_call_id" in message);
row("ToolExecutionOptions.role", call?.role, "assistant");
row("ToolExecutionOptions.content", answered?.content, '{"processed":"x"}');
row(
  "ToolExecutionOptions.tool_calls",
  asked !== undefined && "tool_calls" in asked ? asked.tool_calls?.[0]?.id : undefined,
  "call_1",
);
row(
  "ToolExecutionOptions.tool_call_id",
  answered !== undefined && "tool_call_id" in answered ? answered.tool_call_id : undefined,
  "call_1",
);

// `onError`, and a hook that ends the run because of `hooksAreFatal`.
const failing = await agent
  .run("Process x.", {
    model: script(),
    hooksAreFatal: true,
    hooks: {
      onNodeStart: () => {
        throw new Error("The disk is full.");
      },
    },
    onError: (name, error) => void heard.push(`onError ${name} ${error.message}`),
  })
  .then(
    () => "ended",
    () => "rejected",
  );
row("ToolExecutionOptions.hooksAreFatal", failing, "rejected");
row("ToolExecutionOptions.onError", told("onError"));

// A function gets all events, an object those that it has handlers for. Events of an agent inside arrive nested.
const tokens: TokenEvent[] = [];
const nested: string[] = [];
for (const onToken of [
  (_name: string, event: TokenEvent) => void tokens.push(event),
  {
    onToolExecutionStream: (_name: string, { nestedEvent }: TokenEvent) => {
      if (nestedEvent?.type === "text_delta") nested.push(nestedEvent.content ?? "");
    },
  },
]) {
  const inner = new Agent({ name: "inner", model: scriptedModel(["Inside."]) });
  await new Agent({
    name: "outer",
    model: scriptedModel([{ toolCalls: [{ name: "inner", arguments: { input: "go" } }] }, "Outside."]),
    tools: [inner.asTool()],
  }).run("go", { onToken });
}
row("onToken: a function", tokens.length > 0, true);
row("ToolExecutionOptions.onToken: onToolExecutionStream", nested, ["Inside."]);

// Each value, default and nested field of the page.
const roles = scriptedModel(["Done."]);
await new Agent({ name: "bot", model: roles }).run("And now?", {
  conversationHistory: [
    { role: "system", content: "Be short." },
    { role: "user", content: [{ type: "text", text: "Process y." }] },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c9", type: "function", function: { name: "my_tool", arguments: "{}" } }],
    },
    { role: "tool", content: "processed", tool_call_id: "c9" },
  ],
});
const sentRoles = roles.requests[0]?.messages.map((message) => message.role as string);
for (const role of ["system", "user", "assistant", "tool"])
  row(`ToolExecutionOptions.conversationHistory "${role}"`, sentRoles?.includes(role), true);
const kept = await agent.run("Process x.", {
  model: scriptedModel(["Done."]),
  hooks: {
    onNodeStart: () => {
      throw new Error("The disk is full.");
    },
  },
});
row("ToolExecutionOptions.hooksAreFatal default false", kept.status, "completed");
row("ToolExecutionOptions.onApprovalRequired: approved", result.toolCalls[0]?.isError, false);
const cancelled = await agent.run("Process x.", {
  model: script(),
  onApprovalRequired: () => ({ approved: false, reason: "User cancelled" }),
});
row(
  "ToolExecutionOptions.onApprovalRequired: reason",
  cancelled.toolCalls[0]?.error?.message.includes("User cancelled"),
  true,
);
const typed = (type: string) => tokens.find((event) => event.type === type);
row("ToolExecutionOptions.onToken: type", tokens[0]?.type);
row('ToolExecutionOptions.onToken "text_delta"', typed("text_delta") !== undefined, true);
row("ToolExecutionOptions.onToken: content", typed("text_delta")?.content, "Outside.");
row('ToolExecutionOptions.onToken "tool_execution_start"', typed("tool_execution_start") !== undefined, true);
row("ToolExecutionOptions.onToken: toolName", typed("tool_execution_start")?.toolName, "inner");
row("ToolExecutionOptions.onToken: result", typed("tool_execution_output")?.result);
row("ToolExecutionOptions.onToken: nestedEvent", typed("tool_execution_stream")?.nestedEvent?.type);
