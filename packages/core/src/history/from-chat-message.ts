import type { AssistantPart, AudioMimeType, ContentPart, ImageMimeType } from "../contracts/content-part.ts";
import type { ChatMessage, Message, Provenance } from "../contracts/message.ts";
import type { ToolCall } from "../contracts/tool-call.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { parseArguments } from "../providers/parse-arguments.ts";
import { readDataUrl } from "../providers/media.ts";
import type { WireChatMessage, WireChatPart, WireChatToolCall } from "../contracts/wire-chat-message.ts";

/** The author of an answer whose opaque data no model gets. */
export const unknownModel: Provenance = { provider: "unknown", api: "chat", model: "unknown" };

/** Options of {@link fromChatMessage}. */
export interface FromChatMessageOptions {
  /** The message's id. Default: a new UUID. */
  readonly id?: string | undefined;
  /** The tool that a result belongs to, which the wire form does not include. Default: `name`, or empty. */
  readonly toolName?: string | undefined;
}

type AnyChatMessage = ChatMessage | WireChatMessage | Message;

/**
 * A message from the wire form of OpenAI Chat Completions, or from the general form. A canonical message is returned
 * unchanged.
 *
 * @param message - Either form.
 * @param options - Fields that the form does not have.
 * @throws ConfigurationError `INVALID_MESSAGE` if it is not a message, the role is unknown, or a result names no call.
 * @example
 * ```ts
 * import { fromChatMessage } from "@bailiwick/core";
 *
 * const message = fromChatMessage({ role: "user", content: "Hello" }, { id: "m1" });
 * console.log(message); // { id: "m1", role: "user", content: "Hello" }
 * ```
 */
export function fromChatMessage(message: AnyChatMessage, options: FromChatMessageOptions = {}): Message {
  if (typeof message !== "object" || message === null) {
    throw new ConfigurationError(
      "INVALID_MESSAGE",
      `A message is an object with role and content, not ${String(message)}.`,
    );
  }
  if ("id" in message && isCanonical(message)) return withContent(message);
  const base = {
    id: options.id ?? crypto.randomUUID(),
    ...(message.name === undefined || message.role === "tool" ? {} : { name: message.name }),
  };
  switch (message.role) {
    case "system":
    case "developer":
      return { ...base, role: "system", content: textOf(message.content) };
    case "user":
      return { ...base, role: "user", content: contentOf(message.content) };
    case "assistant":
      return { ...base, ...assistantOf(message) };
    case "tool": {
      const toolCallId = "tool_call_id" in message ? message.tool_call_id : (message as ChatMessage).toolCallId;
      if (toolCallId === undefined) {
        throw new ConfigurationError("INVALID_MESSAGE", "A tool message has no tool_call_id or toolCallId.");
      }
      const toolName = options.toolName ?? message.name ?? "";
      return { ...base, role: "tool", toolCallId, toolName, content: contentOf(message.content) };
    }
    default:
      throw new ConfigurationError(
        "INVALID_MESSAGE",
        `A message has the role "${String((message as { role: unknown }).role)}": use system, developer, user, assistant or tool.`,
      );
  }
}

/**
 * A whole conversation from either form. Results get the tool name of their call.
 *
 * @param messages - The conversation.
 * @throws ConfigurationError `INVALID_MESSAGE` as {@link fromChatMessage}.
 * @example
 * ```ts
 * import { fromChatMessages } from "@bailiwick/core";
 *
 * console.log(fromChatMessages([{ role: "user", content: "Hello" }]).length); // 1
 * ```
 */
export function fromChatMessages(messages: readonly AnyChatMessage[]): readonly Message[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    const toolCallId =
      "tool_call_id" in message ? message.tool_call_id : "toolCallId" in message ? message.toolCallId : undefined;
    const canonical = fromChatMessage(message, {
      toolName: toolCallId === undefined ? undefined : names.get(toolCallId),
    });
    if (canonical.role === "assistant") for (const call of canonical.toolCalls) names.set(call.id, call.name);
    return canonical;
  });
}

function isCanonical(message: AnyChatMessage & { readonly id: unknown }): message is Message {
  return typeof message.id === "string" && (message.role !== "assistant" || "provenance" in message);
}

/** Stored messages of other programs may lack a content, as for an empty tool result: the content is then empty. */
function withContent(message: Message): Message {
  if ((message.content as Message["content"] | null | undefined) != null) return message;
  return message.role === "assistant" ? { ...message, content: [] } : { ...message, content: "" };
}

function assistantOf(message: AnyChatMessage): Omit<Extract<Message, { role: "assistant" }>, "id"> {
  const wireCalls = "tool_calls" in message ? (message.tool_calls ?? []) : [];
  const calls = "toolCalls" in message ? (message.toolCalls ?? []) : [];
  const toolCalls = wireCalls.length > 0 ? wireCalls.map(callOf) : calls;
  const refusal = "refusal" in message ? message.refusal : undefined;
  const content: AssistantPart[] = [
    ...contentParts(message.content as ChatMessage["content"]),
    ...(refusal == null ? [] : [{ type: "refusal" as const, text: refusal }]),
    ...toolCalls.map((call) => ({ type: "tool_call" as const, toolCallId: call.id })),
  ];
  return {
    role: "assistant",
    content,
    toolCalls,
    finishReason: toolCalls.length > 0 ? "tool_calls" : "stop",
    // Matches no model: nothing opaque may be sent to any vendor.
    provenance: unknownModel,
  };
}

function callOf({ id, function: called }: WireChatToolCall): ToolCall {
  return { id, name: called.name, arguments: called.arguments, ...parseArguments(called.arguments) };
}

function textOf(content: AnyChatMessage["content"]): string {
  return contentParts(content as ChatMessage["content"])
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("\n");
}

function contentOf(content: AnyChatMessage["content"]): string | readonly ContentPart[] {
  if (typeof content === "string") return content;
  return contentParts(content as ChatMessage["content"]).filter((part): part is ContentPart => part.type !== "refusal");
}

function contentParts(
  content: string | readonly (ContentPart | WireChatPart)[] | null,
): readonly (ContentPart | { type: "refusal"; text: string })[] {
  if (content === null || content === "") return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map(partOf);
}

function partOf(part: ContentPart | WireChatPart): ContentPart | { type: "refusal"; text: string } {
  switch (part.type) {
    case "image_url": {
      const read = readDataUrl(part.image_url.url);
      if (read === undefined) return { type: "image", url: part.image_url.url };
      return { type: "image", data: read.base64, mimeType: read.mimeType as ImageMimeType };
    }
    case "input_audio":
      return {
        type: "audio",
        data: part.input_audio.data,
        mimeType: `audio/${part.input_audio.format}` as AudioMimeType,
      };
    case "refusal":
      return { type: "refusal", text: part.refusal };
    case "file": {
      if (!("file" in part)) return part;
      const read = readDataUrl(part.file.file_data ?? "");
      const filename = part.file.filename === undefined ? {} : { filename: part.file.filename };
      return {
        type: "file",
        data: read?.base64 ?? part.file.file_data ?? "",
        mimeType: read?.mimeType ?? "application/octet-stream",
        ...filename,
      };
    }
    default:
      return part;
  }
}
