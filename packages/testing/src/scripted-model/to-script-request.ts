import type { Message, ModelRequest } from "@bailiwick/core";
import type {
  ScriptMessage,
  ScriptRequest,
  ScriptRequestTool,
  ScriptRequestToolResult,
} from "../script/script-request.ts";

/** A request to an in-process model, in the form that scripts use. */
export function toScriptRequest(
  request: ModelRequest,
  model: string,
  stream: boolean,
): Omit<ScriptRequest, "turn"> & { turn: number } {
  const names = new Map<string, string>();
  for (const message of request.messages) {
    if (message.role === "assistant") for (const call of message.toolCalls) names.set(call.id, call.name);
  }
  const firstUser = request.messages.findIndex(({ role }) => role === "user");
  const head = request.messages
    .slice(0, firstUser < 0 ? request.messages.length : firstUser)
    .filter(({ role }) => role === "system");
  const messages = request.messages
    .filter((message) => !head.includes(message))
    .map((message) => toScriptMessage(message, names));
  const lastAnswer = messages.findLastIndex(({ role }) => role === "assistant");
  const { toolChoice } = request;
  return {
    wire: "in-process",
    model,
    system: head.map((message) => textOf(message)).join("\n"),
    messages,
    tools: (request.tools ?? []).map((tool): ScriptRequestTool =>
      tool.type === "function"
        ? {
            name: tool.name,
            description: tool.description,
            schema: tool.inputSchema,
            strict: tool.strict,
            type: "function",
          }
        : { name: tool.name, type: tool.name },
    ),
    toolChoice: toolChoice ?? "auto",
    outputSchema: request.output?.schema,
    stream,
    maxTokens: request.maxTokens,
    temperature: request.temperature,
    turn: 0,
    lastUserText: messages.findLast(({ role }) => role === "user")?.text ?? "",
    toolResults: messages
      .slice(lastAnswer + 1)
      .flatMap(({ toolResult }) => (toolResult === undefined ? [] : [toolResult])),
    raw: request,
  };
}

function toScriptMessage(message: Message, names: ReadonlyMap<string, string>): ScriptMessage {
  const text = textOf(message);
  const parts = typeof message.content === "string" ? [] : message.content;
  return {
    role: message.role,
    text,
    images: parts.filter(({ type }) => type === "image").length,
    files: parts.filter(({ type }) => type === "file").length,
    reasoning: parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("\n") || undefined,
    toolCalls:
      message.role === "assistant"
        ? message.toolCalls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }))
        : [],
    toolResult: message.role === "tool" ? toResult(message, text, names) : undefined,
  };
}

function toResult(
  message: Extract<Message, { role: "tool" }>,
  text: string,
  names: ReadonlyMap<string, string>,
): ScriptRequestToolResult {
  return {
    toolCallId: message.toolCallId,
    toolName: names.get(message.toolCallId) ?? message.toolName,
    text,
    isError: message.isError === true,
  };
}

function textOf(message: Message): string {
  if (typeof message.content === "string") return message.content;
  return message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
