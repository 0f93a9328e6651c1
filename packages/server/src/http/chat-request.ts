import type { ContentPart, RunInput, RunOptions } from "@bailiwick/core";
import type { Caller } from "./authorize.ts";
import { asObject, asOptionalText, asText, type JsonBody } from "./read-body.ts";
import { invalid } from "./request-error.ts";

/** What a request to the chat route asks for. */
export interface ChatStart {
  readonly input: RunInput;
  /** Settings of the run; `userId` and `tenantId` are the caller's, whatever stands here. */
  readonly options?: RunOptions | undefined;
}

/** Makes a run's input of the body that a page sends. */
export type ToRunInput = (body: JsonBody, request: Request, caller: Caller) => ChatStart | Promise<ChatStart>;

/** The answers of a person in the page's own message: `addToolApprovalResponse` of `useChat`. */
export interface ApprovalAnswer {
  readonly runId: string;
  readonly approvals: readonly {
    readonly id: string;
    readonly approved: boolean;
    readonly reason?: string | undefined;
  }[];
}

/**
 * The answers to approvals that a `useChat` body carries: the parts of the answered message that were responded to.
 *
 * @param body - Of the request.
 * @returns `undefined` when the body asks for something else.
 */
export function approvalAnswer(body: JsonBody): ApprovalAnswer | undefined {
  // A page may answer in an earlier message than its last one: it then names the message.
  const messages: readonly unknown[] = Array.isArray(body["messages"]) ? body["messages"] : [];
  const named = messages.find((message) => idOf(message) !== undefined && idOf(message) === body["messageId"]);
  const last = named ?? messages.at(-1);
  if (typeof last !== "object" || last === null || !("role" in last) || last.role !== "assistant") return undefined;
  const { id, parts } = last as { id?: unknown; parts?: unknown };
  if (!Array.isArray(parts)) return undefined;
  const approvals = parts.flatMap((part: unknown) => {
    const { state, approval } = asObject(part, "A part of the last message");
    if (state !== "approval-responded" || approval === undefined) return [];
    const { id: approvalId, approved, reason } = asObject(approval, "The approval of a part");
    if (typeof approved !== "boolean") throw invalid('The approval of a part needs "approved": true or false.');
    return [{ id: asText(approvalId, "The approval's id"), approved, ...(typeof reason === "string" && { reason }) }];
  });
  return approvals.length === 0 ? undefined : { runId: asText(id, "The message's id"), approvals };
}

/** A place of a chat that a page goes back to: everything from that message on gets another branch. */
export type ChatChange =
  | { readonly type: "regenerate"; readonly messageId: string | undefined }
  | { readonly type: "edit"; readonly messageId: string; readonly parentId: string | undefined };

/**
 * The change that a `useChat` body asks for: `regenerate()`, or `sendMessage()` with the `messageId` of a user message.
 *
 * @param body - Of the request.
 * @returns `undefined` for a message at the end of the chat.
 */
export function chatChange(body: JsonBody): ChatChange | undefined {
  const messageId = asOptionalText(body["messageId"], '"messageId"');
  if (body["trigger"] === "regenerate-message") return { type: "regenerate", messageId };
  const messages: readonly unknown[] = Array.isArray(body["messages"]) ? body["messages"] : [];
  if (messageId === undefined || idOf(messages.at(-1)) !== messageId) return undefined;
  return { type: "edit", messageId, parentId: idOf(messages.at(-2)) };
}

/** Most characters of a message's id. */
const longestId = 200;

/**
 * What `useChat` sends, as the input of a run: the text and files of its last message, in the session that the chat's id
 * names. The message keeps the page's id, so that the page finds it again in the history. Earlier messages come from the
 * session's own store and not from the page, which could have made them up.
 *
 * @throws RequestError `INVALID_REQUEST`.
 */
export const fromUseChat: ToRunInput = (body) => {
  const sessionId = asText(body["id"], '"id"');
  const { messages } = body;
  const last = Array.isArray(messages) ? asObject(messages.at(-1), "The last message") : undefined;
  if (last === undefined || last["role"] !== "user") throw invalid('"messages" has to end with a message of the user.');
  if (!Array.isArray(last["parts"])) throw invalid('The last message has no "parts".');
  const content = last["parts"].flatMap((part: unknown) => toContentPart(asObject(part, "A part of the last message")));
  if (content.length === 0) throw invalid("The last message is empty.");
  const id = asOptionalText(last["id"], "The id of the last message") ?? "";
  if (id.length > longestId) throw invalid(`The id of the last message has more than ${longestId} characters.`);
  return { input: { role: "user", id, content }, options: { sessionId } };
};

function idOf(message: unknown): string | undefined {
  const { id } = (typeof message === "object" && message !== null ? message : {}) as { readonly id?: unknown };
  return typeof id === "string" ? id : undefined;
}

function toContentPart(part: JsonBody): ContentPart[] {
  switch (part["type"]) {
    case "text":
      return part["text"] === "" ? [] : [{ type: "text", text: asText(part["text"], "A text part's text") }];
    case "file": {
      const url = asText(part["url"], "A file's url");
      const mimeType = asText(part["mediaType"], "A file's mediaType");
      const inline = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1];
      // Only what the page itself holds: a fetched address could be anything by the time that it is read.
      if (inline === undefined) throw invalid("Send files as data: URLs.");
      const { filename } = part;
      return [{ type: "file", data: inline, mimeType, ...(typeof filename === "string" && { filename }) }];
    }
    default:
      throw invalid(`A message of the user cannot hold a part of type "${String(part["type"])}".`);
  }
}
