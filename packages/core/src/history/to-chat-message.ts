import type { AssistantPart, ContentPart } from "../contracts/content-part.ts";
import type { ChatMessage, Message } from "../contracts/message.ts";
import { mediaDataUrl, mediaSource } from "../providers/media.ts";
import type { WireChatMessage, WireChatPart, WireChatToolCall } from "../contracts/wire-chat-message.ts";
import { checkArgument } from "../errors/value-checks.ts";
import { mediaPlaceholder } from "./repair.ts";

/**
 * A message in the wire form of OpenAI Chat Completions. Fields that the form does not have (ids, time stamps, tool
 * names of results, reasoning, provenance) are left out. A tool message holds text alone in it: a note takes the place of
 * an image or a file.
 *
 * @param message - A message, or its general form.
 * @throws ConfigurationError `INVALID_OPTION` for a value without a role.
 * @example
 * ```ts
 * import { toChatMessage } from "@bailiwick/core";
 *
 * const wire = toChatMessage({ id: "m1", role: "tool", toolCallId: "c1", toolName: "weather", content: "Rain" });
 * console.log(wire); // { role: "tool", content: "Rain", tool_call_id: "c1" }
 * ```
 */
export function toChatMessage(message: Message | ChatMessage): WireChatMessage {
  checkArgument(message?.role, "string", "toChatMessage({ id, role, content })");
  const name = message.name === undefined ? {} : { name: message.name };
  switch (message.role) {
    case "tool":
      return { role: "tool", content: textOfResult(message.content), tool_call_id: message.toolCallId ?? "" };
    case "assistant": {
      const calls = (message.toolCalls ?? []).map((call): WireChatToolCall => ({
        id: call.id,
        type: "function",
        function: { name: call.name, arguments: call.arguments },
      }));
      const refusal = refusalOf(message.content);
      return {
        role: "assistant",
        content: assistantContent(message.content, calls.length > 0 || refusal !== undefined),
        ...name,
        ...(refusal === undefined ? {} : { refusal }),
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
      };
    }
    default:
      return { role: message.role, content: contentOf(message.content), ...name };
  }
}

/** The content of a tool message: the form takes text alone, so a note stands for each image and file. */
function textOfResult(content: string | readonly ContentPart[] | null): string {
  if (typeof content === "string") return content;
  return (content ?? [])
    .map((part) => (part.type === "text" ? part : mediaPlaceholder(part, "a tool message holds text alone")).text)
    .join("\n");
}

function contentOf(content: string | readonly ContentPart[] | null): string | readonly WireChatPart[] {
  if (content === null) return "";
  return typeof content === "string" ? content : content.map(partOf);
}

function assistantContent(content: string | readonly AssistantPart[] | null, mayBeNull: boolean): string | null {
  if (typeof content === "string") return content;
  const text = (content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
  return text === "" && mayBeNull ? null : text;
}

function refusalOf(content: string | readonly AssistantPart[] | null): string | undefined {
  if (typeof content === "string" || content === null) return undefined;
  const refusals = content.flatMap((part) => (part.type === "refusal" ? [part.text] : []));
  return refusals.length === 0 ? undefined : refusals.join("\n");
}

function partOf(part: ContentPart): WireChatPart {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return { type: "image_url", image_url: { url: mediaDataUrl(part) } };
    case "audio": {
      const source = mediaSource(part);
      return {
        type: "input_audio",
        input_audio: {
          data: source.kind === "data" ? source.base64 : source.url,
          format: part.mimeType.slice("audio/".length),
        },
      };
    }
    case "file": {
      const filename = part.filename === undefined ? {} : { filename: part.filename };
      return { type: "file", file: { file_data: mediaDataUrl(part), ...filename } };
    }
  }
}
