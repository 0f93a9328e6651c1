import type { AssistantPart, AudioMimeType, ContentPart, ImageMimeType } from "../contracts/content-part.ts";
import type { ChatMessage, Message, Provenance, ToolMessage } from "../contracts/message.ts";
import type { ToolCall } from "../contracts/tool-call.ts";
import { parseArguments } from "../providers/parse-arguments.ts";
import { readDataUrl } from "../providers/media.ts";
import { invalidMessage, messageProblem } from "./message-problem.ts";
import type { WireChatMessage, WireChatPart } from "../contracts/wire-chat-message.ts";
import { withPlainMedia } from "./plain-media.ts";
import { checkArgument } from "../errors/value-checks.ts";

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
 * A message from the wire form of OpenAI Chat Completions, or from the general form. A canonical message keeps its content.
 * Any JSON is safe here: the result never says that a text is trusted, that a certain model wrote it, or that a person
 * approved a call. If your code knows that a text is trusted, set `untrusted: false` on its part of the result.
 *
 * @param message - Any of the forms.
 * @param options - Fields that the form does not have.
 * @throws ConfigurationError `INVALID_MESSAGE` with the path of a value that no model could read.
 * @example
 * ```ts
 * import { fromChatMessage } from "@bailiwick/core";
 *
 * const message = fromChatMessage({ role: "user", content: "Hello" }, { id: "m1" });
 * console.log(message); // { id: "m1", role: "user", content: "Hello" }
 * ```
 */
export function fromChatMessage(message: AnyChatMessage, options: FromChatMessageOptions = {}): Message {
  return unclaimed(canonicalMessage(message, options));
}

/** Without the fields that only the developer's code may set, because JSON of a client could claim them. */
function unclaimed(message: Message): Message {
  const { hostedApproval: _, content, ...rest } = message as ToolMessage;
  return {
    ...rest,
    content: typeof content === "string" ? content : content.map(unmarked),
    ...(message.role === "assistant" && { provenance: unknownModel }),
  };
}

/** A part can be marked as untrusted, and not as trusted. */
function unmarked(part: ContentPart): ContentPart {
  const { untrusted, ...rest } = part;
  return untrusted === true ? part : rest;
}

/**
 * A message that a run can read, from any of the forms.
 *
 * @param message - A canonical message is returned unchanged, except that bytes become base64 text.
 * @param options - Fields that the form does not have.
 * @param index - The message's place in a list, for the error.
 * @throws ConfigurationError `INVALID_MESSAGE`
 */
export function canonicalMessage(message: AnyChatMessage, options: FromChatMessageOptions, index?: number): Message {
  if (messageProblem(message) === undefined) return withPlainMedia(message as Message);
  const given = { ...message, id: options.id ?? (message as Partial<Message> | null)?.id ?? crypto.randomUUID() };
  let converted: Message = { toolCalls: [], finishReason: "stop", provenance: unknownModel, ...given } as never;
  try {
    converted = convert(given, options);
  } catch {
    // The form is none of those: the check names what is wrong with it.
  }
  const problem = messageProblem(converted);
  if (problem !== undefined) throw invalidMessage(problem, index);
  return withPlainMedia(converted);
}

function convert(message: AnyChatMessage & { readonly id: string }, { toolName }: FromChatMessageOptions): Message {
  const { id, role, name, content } = message;
  // The AI SDK has its content in "parts": the message is not empty.
  if (content === undefined && "parts" in message) return message as Message;
  const base = { id, ...(typeof name !== "string" || role === "tool" ? {} : { name }) };
  switch (role) {
    case "system":
    case "developer":
      return { ...base, role: "system", content: textOf(content) };
    case "user":
      return { ...base, role, content: contentOf(content) };
    case "assistant":
      return { ...base, ...assistantOf(message) };
    default: {
      const { tool_call_id, toolCallId = tool_call_id } = message as WireChatMessage & ChatMessage;
      return {
        ...base,
        role,
        toolCallId,
        toolName: toolName ?? name ?? "",
        content: contentOf(content),
      } as ToolMessage;
    }
  }
}

/**
 * A whole conversation from either form. Results get the tool name of their call. Fields that claim trust are left out, as
 * {@link fromChatMessage} does.
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
  checkArgument(messages, "array", "fromChatMessages([{ role, content }])");
  const names = new Map<unknown, string>();
  return messages.map((message, index) => {
    const { tool_call_id, toolCallId = tool_call_id } = Object(message) as WireChatMessage & ChatMessage;
    const canonical = canonicalMessage(message, { toolName: names.get(toolCallId) }, index);
    if (canonical.role === "assistant") for (const call of canonical.toolCalls) names.set(call.id, call.name);
    return unclaimed(canonical);
  });
}

function assistantOf(message: AnyChatMessage): Omit<Extract<Message, { role: "assistant" }>, "id"> {
  const wireCalls = "tool_calls" in message ? (message.tool_calls ?? []) : [];
  const calls = "toolCalls" in message ? (message.toolCalls ?? []) : [];
  const toolCalls =
    wireCalls.length > 0 ? wireCalls.map(({ id, function: called }) => callOf({ ...called, id })) : calls.map(callOf);
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

/** Some servers, and other programs, keep the arguments of a call as an object. */
function callOf(call: Omit<ToolCall, "input">): ToolCall {
  const text = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
  return { ...parseArguments(text), ...call, arguments: text };
}

function textOf(content: AnyChatMessage["content"]): string {
  return contentParts(content as ChatMessage["content"])
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("\n");
}

function contentOf(content: AnyChatMessage["content"]): string | readonly ContentPart[] {
  // Messages of other programs may lack a content, as for an empty result.
  if (typeof content === "string" || content == null) return content ?? "";
  return contentParts(content as ChatMessage["content"]).filter((part): part is ContentPart => part.type !== "refusal");
}

function contentParts(
  content: string | readonly (ContentPart | WireChatPart)[] | null | undefined,
): readonly (ContentPart | { type: "refusal"; text: string })[] {
  if (content == null || content === "") return [];
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
