import { ConfigurationError } from "@bailiwick/core";
import type { AssistantPart, ContentPart, ImageMimeType, Message, ToolCall, ToolMessage } from "@bailiwick/core";
import { readDataUrl } from "@bailiwick/core/provider";
import type { UiMessagePart } from "./ui-message.ts";

/** A chat message in the form that the AI SDK stores: its `UIMessage` fits. */
export interface StoredUiMessage {
  /** Id of the message. */
  readonly id: string;
  /** The author of the message. */
  readonly role: "system" | "user" | "assistant";
  /** Texts, files and tool calls, in their order. */
  readonly parts: readonly (UiMessagePart | { readonly type: string })[];
}

type Part = Readonly<Record<string, unknown>> & { readonly type: string };

const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/**
 * Converts chats that an application saved as `UIMessage[]` of the AI SDK, so that `sessions.append` can import them.
 * Messages keep their ids. Tool calls without a result are left out, as are reasoning and data parts: models of other
 * programs made them.
 *
 * @param messages - The saved messages of one chat, oldest first.
 * @returns Messages of a session.
 * @throws ConfigurationError `INVALID_MESSAGE` for a message without parts, such as one of AI SDK 4.
 * @example
 * ```ts
 * import { memoryStore } from "@bailiwick/agent";
 * import { fromUIMessages } from "@bailiwick/server";
 *
 * const { sessions } = memoryStore();
 * const messages = fromUIMessages([{ id: "m1", role: "user", parts: [{ type: "text", text: "Where is order 7?" }] }]);
 * await sessions.append("chat-1", messages, { userId: "ana", runId: "import-chat-1", seq: 0 });
 * ```
 */
export function fromUIMessages(messages: readonly StoredUiMessage[]): readonly Message[] {
  if (!Array.isArray(messages)) throw invalid("fromUIMessages() needs the list of a chat's messages.");
  return messages.flatMap((message: StoredUiMessage, index) => {
    const { id, role, parts } = (message ?? {}) as Partial<StoredUiMessage>;
    if (typeof id !== "string" || !Array.isArray(parts) || parts.some((part) => typeof part?.type !== "string"))
      throw invalid(
        `Message ${index} has no "id", or no list of "parts" with types. Pass UIMessage objects of AI SDK 5 or newer; convert older chats with the AI SDK first.`,
      );
    const read = parts as readonly Part[];
    if (role === "system") return [{ id, role, content: read.map(textOf).join("") }];
    if (role === "user") return userMessage(id, read);
    if (role === "assistant") return answer(id, read);
    throw invalid(`Message ${index} has the role "${String(role)}": use system, user or assistant.`);
  });
}

function userMessage(id: string, parts: readonly Part[]): Message[] {
  const content = parts.flatMap(userPart);
  return content.length === 0 ? [] : [{ id, role: "user", content }];
}

function userPart(part: Part): ContentPart[] {
  if (part.type === "text") return [{ type: "text", text: textOf(part) }];
  const { url, mediaType, filename } = part;
  if (part.type !== "file" || typeof url !== "string") return [];
  const inline = readDataUrl(url);
  const mimeType = typeof mediaType === "string" ? mediaType : (inline?.mimeType ?? "application/octet-stream");
  const source = inline === undefined ? { url } : { data: inline.base64 };
  // Other people may have written the file.
  if (imageTypes.has(mimeType))
    return [{ type: "image", ...source, mimeType: mimeType as ImageMimeType, untrusted: true }];
  const name = typeof filename === "string" ? { filename } : {};
  return [{ type: "file", ...source, mimeType, ...name, untrusted: true }];
}

/** The steps of an answer: for each, a message of the model and the results of its calls. */
function answer(id: string, parts: readonly Part[]): Message[] {
  const steps: Part[][] = [[]];
  for (const part of parts)
    if (part.type === "step-start") steps.push([]);
    else steps.at(-1)?.push(part);
  let written = 0;
  return steps.flatMap((step) => {
    const results = step.flatMap((part) => resultOf(id, part));
    const content: AssistantPart[] = step.flatMap((part): AssistantPart[] => {
      if (part.type === "text" && textOf(part) !== "") return [{ type: "text", text: textOf(part) }];
      const settled = results.find(({ call }) => call.id === part["toolCallId"]);
      return settled === undefined ? [] : [{ type: "tool_call", toolCallId: settled.call.id }];
    });
    if (content.length === 0) return [];
    written += 1;
    return [
      {
        id: written === 1 ? id : `${id}:${written}`,
        role: "assistant" as const,
        content,
        toolCalls: results.map(({ call }) => call),
        finishReason: results.length > 0 ? ("tool_calls" as const) : ("stop" as const),
        // Matches no model, so no vendor gets another vendor's data.
        provenance: { provider: "unknown", api: "chat", model: "unknown" },
      },
      ...results.map(({ result }) => result),
    ];
  });
}

function resultOf(id: string, part: Part): { call: ToolCall; result: ToolMessage }[] {
  const { type, toolCallId, state, input, output, errorText } = part;
  const name = type === "dynamic-tool" ? part["toolName"] : type.startsWith("tool-") ? type.slice("tool-".length) : "";
  if (typeof toolCallId !== "string" || typeof name !== "string" || name === "" || part["preliminary"] === true)
    return [];
  const text =
    state === "output-available"
      ? asText(output)
      : state === "output-error"
        ? asText(errorText)
        : state === "output-denied"
          ? "A person rejected the call."
          : undefined;
  if (text === undefined) return [];
  const isError = state === "output-available" ? {} : { isError: true };
  return [
    {
      call: { id: toolCallId, name, arguments: JSON.stringify(input ?? {}), input: input ?? {} },
      result: { id: `${id}:${toolCallId}`, role: "tool", toolCallId, toolName: name, content: text, ...isError },
    },
  ];
}

const textOf = ({ text }: Part): string => (typeof text === "string" ? text : "");

const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

const invalid = (message: string): ConfigurationError => new ConfigurationError("INVALID_MESSAGE", message);
