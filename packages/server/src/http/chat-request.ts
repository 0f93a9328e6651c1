import type { ContentPart, RunInput, RunOptions } from "@bailiwick/core";
import type { Caller } from "./authorize.ts";
import { asObject, asText, type JsonBody } from "./read-body.ts";
import { invalid } from "./request-error.ts";

/** What a request to the chat route asks for. */
export interface ChatStart {
  readonly input: RunInput;
  /** Settings of the run; `userId` and `tenantId` are the caller's, whatever stands here. */
  readonly options?: RunOptions | undefined;
}

/** Makes a run's input of the body that a page sends. */
export type ToRunInput = (body: JsonBody, request: Request, caller: Caller) => ChatStart | Promise<ChatStart>;

/** What a person answered in the page's own message: `addToolApprovalResponse` of `useChat`. */
export interface ApprovalAnswer {
  readonly runId: string;
  readonly approvals: readonly {
    readonly id: string;
    readonly approved: boolean;
    readonly reason?: string | undefined;
  }[];
}

/**
 * The answers to approvals that a `useChat` body carries: the parts of its last message that were responded to.
 *
 * @param body - Of the request.
 * @returns `undefined` when the body asks for something else.
 */
export function approvalAnswer(body: JsonBody): ApprovalAnswer | undefined {
  const last = Array.isArray(body["messages"]) ? (body["messages"].at(-1) as unknown) : undefined;
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

/**
 * What `useChat` sends, as the input of a run: the text and files of its last message, in the session that the chat's id
 * names. Earlier messages come from the session's own store and not from the page, which could have made them up.
 *
 * @throws RequestError `INVALID_REQUEST`.
 */
export const fromUseChat: ToRunInput = (body) => {
  if (body["trigger"] === "regenerate-message") {
    throw invalid("An answer cannot be made anew: what was done stays done. Send the message again, or fork the run.");
  }
  const sessionId = asText(body["id"], '"id"');
  const { messages } = body;
  const last = Array.isArray(messages) ? asObject(messages.at(-1), "The last message") : undefined;
  if (last === undefined || last["role"] !== "user") throw invalid('"messages" has to end with a message of the user.');
  if (!Array.isArray(last["parts"])) throw invalid('The last message has no "parts".');
  const input = last["parts"].flatMap((part: unknown) => toContentPart(asObject(part, "A part of the last message")));
  if (input.length === 0) throw invalid("The last message is empty.");
  return { input, options: { sessionId } };
};

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
