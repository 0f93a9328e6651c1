// `ToolExecutionOptions` of BaleyBots: what a tool gets of the call and of the options of its run.
import { Agent, tool, type ToolExecutionContext } from "@bailiwick/agent";
import { toChatMessage, type InheritedRunOptions } from "@bailiwick/core";
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
row("onToken.onToolExecutionStart", told("onToolExecutionStart"), "onToolExecutionStart my_tool");
row("onToken.onToolExecutionOutput", told("onToolExecutionOutput"), 'onToolExecutionOutput {"processed":"x"}');

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

// A function gets all events. Events of an agent inside arrive nested.
const inner = new Agent({ name: "inner", model: scriptedModel(["Inside."]) });
const events: string[] = [];
await new Agent({
  name: "outer",
  model: scriptedModel([{ toolCalls: [{ name: "inner", arguments: { input: "go" } }] }, "Outside."]),
  tools: [inner.asTool()],
}).run("go", {
  onToken: (_name, event) => {
    events.push(event.type);
    if (event.nestedEvent?.type === "text_delta") events.push(`nested ${event.nestedEvent.content}`);
  },
});
row("onToken: a function", events.includes("text_delta"), true);
row(
  "onToken.onToolExecutionStream",
  events.find((one) => one.startsWith("nested")),
  "nested Inside.",
);
