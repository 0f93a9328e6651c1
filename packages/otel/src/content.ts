import type {
  AssistantMessage,
  AssistantPart,
  ContentPart,
  Message,
  ToolDefinition,
  RunInput,
  ToolCall,
} from "@bailiwick/core";

type Part = Readonly<Record<string, unknown>>;

/** A message in the form of the conventions: a role, and parts. */
interface SpanMessage {
  readonly role: string;
  readonly parts: readonly Part[];
  readonly finish_reason?: string;
}

/** The model's input, as JSON text. */
export const inputMessages = (messages: readonly Message[]): string =>
  asText(messages.filter(({ role }) => role !== "system").map(toSpanMessage));

/** The instructions in a model's input, as JSON text; `undefined` without any. */
export function systemInstructions(messages: readonly Message[]): string | undefined {
  const parts = messages.flatMap((message) => (message.role === "system" ? [textPart(message.content)] : []));
  return parts.length === 0 ? undefined : asText(parts);
}

/** The tools that a model is offered, as JSON text. */
export const toolDefinitions = (tools: readonly ToolDefinition[]): string =>
  asText(
    tools.map((tool) =>
      tool.type === "function"
        ? { type: "function", name: tool.name, description: tool.description, parameters: tool.inputSchema }
        : { type: tool.type, name: tool.name },
    ),
  );

/** The model's answer, as JSON text. */
export const outputMessages = (message: AssistantMessage): string =>
  asText([{ ...toSpanMessage(message), finish_reason: message.finishReason }]);

/** The user's input, as JSON text. */
export function runInput(input: RunInput): string {
  if (typeof input === "string") return asText([{ role: "user", parts: [textPart(input)] }]);
  const content = "content" in input ? input.content : input;
  return asText([{ role: "user", parts: partsOf(content) }]);
}

/** An answer that is text, as JSON text. */
export const textAnswer = (text: string): string => asText([{ role: "assistant", parts: [textPart(text)] }]);

/** A value as text; for a value without a JSON form, its kind. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return `a ${typeof value} that has no JSON form`;
  }
}

function toSpanMessage(message: Message): SpanMessage {
  switch (message.role) {
    case "assistant":
      return { role: "assistant", parts: message.content.map((part) => answerPart(part, message.toolCalls)) };
    case "tool":
      return {
        role: "tool",
        parts: [{ type: "tool_call_response", id: message.toolCallId, result: partsOf(message.content) }],
      };
    default:
      return { role: message.role, parts: partsOf(message.content) };
  }
}

const textPart = (content: string): Part => ({ type: "text", content });

const partsOf = (content: string | readonly ContentPart[]): readonly Part[] =>
  typeof content === "string" ? [textPart(content)] : content.map(contentPart);

/** Bytes are left out: they are large, and no dashboard shows them. */
function contentPart(part: ContentPart): Part {
  if (part.type === "text") return textPart(part.text);
  const modality = part.type === "file" ? "document" : part.type;
  const { mimeType: mime_type } = part;
  return "url" in part && part.url !== undefined
    ? { type: "uri", modality, mime_type, uri: part.url }
    : { type: "blob", modality, mime_type, content: "" };
}

function answerPart(part: AssistantPart, calls: readonly ToolCall[]): Part {
  switch (part.type) {
    case "text":
    case "refusal":
      return textPart(part.text);
    case "reasoning":
      return { type: "reasoning", content: part.text };
    case "tool_call": {
      const call = calls.find(({ id }) => id === part.toolCallId);
      return { type: "tool_call", id: part.toolCallId, name: call?.name, arguments: call?.input ?? call?.arguments };
    }
    case "hosted_tool":
      return { type: "tool_call", id: part.toolCallId, name: part.toolName, arguments: part.input };
    case "source":
      return { type: "source", url: part.url, title: part.title };
    default:
      return contentPart(part);
  }
}
