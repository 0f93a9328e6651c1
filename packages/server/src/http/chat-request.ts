import type { ContentPart, Interruption, RunInput, RunOptions, UserMessage } from "@bailiwick/core";
import { acknowledging, type ClientDecision } from "./acknowledgement.ts";
import { askedId } from "../runs/second-id.ts";
import type { Caller } from "./authorize.ts";
import type { ClientResult } from "./client-results.ts";
import { asObject, asOptionalText, asText, type JsonBody } from "./read-body.ts";
import { clientTooOld } from "./client-version.ts";
import { invalid } from "./request-error.ts";
import { uploadReader, type UploadOptions, type UploadReader } from "./uploads.ts";

/** A request to the chat route. */
export interface ChatStart {
  /** The message of the user. */
  readonly input: RunInput;
  /** Settings of the run; `userId` and `tenantId` are replaced by the caller's. */
  readonly options?: RunOptions | undefined;
}

/** A request of `useChat`. */
export interface PageStart extends ChatStart {
  readonly input: UserMessage;
}

/**
 * Makes a run's input of the body that a page sends.
 *
 * @param body - The request's body, parsed as JSON.
 * @param request - The HTTP request.
 * @param caller - The answer of `authorize`.
 */
export type ToRunInput = (body: JsonBody, request: Request, caller: Caller) => ChatStart | Promise<ChatStart>;

/** Answers in a message of the page: `addToolApprovalResponse` and `addToolOutput` of `useChat`. */
export interface PageAnswer {
  readonly runId: string;
  readonly approvals: readonly {
    readonly id: string;
    readonly approved: boolean;
    readonly reason?: string | undefined;
  }[];
  /** Results of the message's calls; those of the server are among them. */
  readonly results: readonly ClientResult[];
  /** Those of the last step: a page that has received more after a result does not repeat it. */
  readonly lastResults: readonly ClientResult[];
}

/**
 * The answers that a `useChat` body carries: approvals that were responded to, and results of calls, in the answered message.
 *
 * @param body - Body of the request.
 * @returns `undefined` if the body asks for something else.
 */
export function pageAnswer(body: JsonBody): PageAnswer | undefined {
  // A page may answer in an earlier message than its last one; then it names the message.
  const messages: readonly unknown[] = Array.isArray(body["messages"]) ? body["messages"] : [];
  const named = messages.find((message) => idOf(message) !== undefined && idOf(message) === body["messageId"]);
  const last = named ?? messages.at(-1);
  if (typeof last !== "object" || last === null || !("role" in last) || last.role !== "assistant") return undefined;
  const { id, parts } = last as { id?: unknown; parts?: unknown };
  if (!Array.isArray(parts)) return undefined;
  const read = parts.map((part: unknown) => asObject(part, "A part of the last message"));
  const approvals = read.flatMap(readApproval);
  const results = read.flatMap(readResult);
  if (approvals.length === 0 && results.length === 0) return undefined;
  const lastStep = read.slice(read.findLastIndex(({ type }) => type === "step-start") + 1);
  return { runId: asText(id, "The message's id"), approvals, results, lastResults: lastStep.flatMap(readResult) };
}

/** The decisions that a page makes about approvals among these questions. */
export function approvalDecisions(
  approvals: PageAnswer["approvals"],
  questions: readonly Interruption[],
  origin: { readonly decidedBy?: string; readonly channel: string },
): readonly ClientDecision[] {
  return approvals.flatMap(({ id: given, approved, reason }) => {
    const { id, isSecond } = askedId(given);
    const question = questions.find((one) => one.id === id);
    if (question === undefined) return [];
    return [acknowledging(approved ? question.approve(origin) : question.reject(reason, origin), isSecond)];
  });
}

function readApproval({ state, approval }: JsonBody): PageAnswer["approvals"] {
  if (state !== "approval-responded" || approval === undefined) return [];
  const { id, approved, reason } = asObject(approval, "The approval of a part");
  if (typeof approved !== "boolean") throw invalid('The approval of a part needs "approved": true or false.');
  return [{ id: asText(id, "The approval's id"), approved, ...(typeof reason === "string" && { reason }) }];
}

function readResult({ state, toolCallId, output, errorText }: JsonBody): ClientResult[] {
  if (typeof toolCallId !== "string") return [];
  if (state === "output-available") return [{ callId: toolCallId, output: output ?? null }];
  if (state === "output-error")
    return [{ callId: toolCallId, error: typeof errorText === "string" ? errorText : "The tool failed." }];
  return [];
}

/** The place at which a page continues a chat, by the messages that it shows. */
export interface ChatChange {
  /** `regenerate` asks for another answer; `submit` sends a message. */
  readonly type: "regenerate" | "submit";
  /** The answer that is regenerated, or the user message that is replaced or sent again. */
  readonly messageId: string | undefined;
  /** The user message at the end of the body. */
  readonly lastId: string | undefined;
  /** Messages of the user between the parent and the last one: the server may never have received them. */
  readonly before: readonly JsonBody[];
  /**
   * The answer that the page shows before these messages, then the message that it answers: the run of an old answer may
   * have been deleted. Empty if the page shows none, and `undefined` if the body does not say.
   */
  readonly parentIds: readonly string[] | undefined;
  /** True if the parent has to be known. An answer that opens a page may be its own greeting. */
  readonly isParentNeeded: boolean;
}

/**
 * Reads the place at which a `useChat` body continues the chat: `regenerate()`, `sendMessage()` with the `messageId`
 * of a user message, or a message after those that the page shows. A body with `parentId` has the new messages alone:
 * an id, or those of an answer and of the message that it answers, or `null` for none. A body without it has all
 * messages of the page.
 *
 * @param body - Body of the request.
 */
export function chatChange(body: JsonBody): ChatChange {
  const messageId = asOptionalText(body["messageId"], '"messageId"');
  const messages: readonly unknown[] = Array.isArray(body["messages"]) ? body["messages"] : [];
  const lastId = idOf(messages.at(-1));
  const from = messages.findLastIndex((message) => roleOf(message) !== "user") + 1;
  const shown = {
    lastId,
    before: messages.slice(from, -1).map((message) => asObject(message, "A message")),
    ...parentOf(body, messages, from),
  };
  // Without an id, the answer to the last message is meant: some clients first remove the messages after it.
  if (body["trigger"] === "regenerate-message") return { type: "regenerate", messageId: messageId ?? lastId, ...shown };
  return { type: "submit", messageId: lastId === messageId ? messageId : undefined, ...shown };
}

function parentOf(
  { parentId }: JsonBody,
  messages: readonly unknown[],
  from: number,
): Pick<ChatChange, "parentIds" | "isParentNeeded"> {
  if (parentId !== undefined) {
    const named: readonly unknown[] = parentId === null ? [] : Array.isArray(parentId) ? parentId : [parentId];
    return { parentIds: named.map((id) => asText(id, 'An id of "parentId"')), isParentNeeded: parentId !== null };
  }
  const parent = idOf(messages[from - 1]);
  if (parent === undefined) return { parentIds: undefined, isParentNeeded: false };
  const asked = messages.slice(0, from).findLast((message) => roleOf(message) === "user");
  const askedId = idOf(asked);
  return { parentIds: [parent, ...(askedId === undefined ? [] : [askedId])], isParentNeeded: asked !== undefined };
}

/** Maximum length of a message's id, in characters. */
const longestId = 200;

/**
 * Converts a `useChat` body to the input of a run: the text and files of its last message, in the session that the
 * chat's id names. The message keeps the page's id, so that the page finds it again in the history. Earlier messages
 * come from the session's store, because the page could have invented them.
 *
 * @throws RequestError `INVALID_REQUEST`.
 */
export const fromUseChat: ToRunInput = (body) => useChatInput(asObject(body, "The body"), undefined);

/** The input of a run, with the limits of its files. */
export function useChatInput(body: JsonBody, uploads: UploadOptions | undefined): PageStart {
  const sessionId = asText(body["id"], '"id"');
  const { messages } = body;
  const last = Array.isArray(messages) ? asObject(messages.at(-1), "The last message") : undefined;
  if (last === undefined || last["role"] !== "user") throw invalid('"messages" has to end with a message of the user.');
  if (!Array.isArray(last["parts"])) {
    if (typeof last["content"] === "string")
      throw clientTooOld('This page sends messages of AI SDK 4, with "content" and without "parts"');
    throw invalid('The last message has no "parts".');
  }
  const files = uploadReader(uploads);
  const content = last["parts"].flatMap((part: unknown) =>
    toContentPart(asObject(part, "A part of the last message"), files),
  );
  if (content.length === 0) throw invalid("The last message is empty.");
  const id = asOptionalText(last["id"], "The id of the last message") ?? "";
  if (id.length > longestId) throw invalid(`The id of the last message has more than ${longestId} characters.`);
  return { input: { role: "user", id, content }, options: { sessionId } };
}

function idOf(message: unknown): string | undefined {
  const { id } = Object(message) as { readonly id?: unknown };
  return typeof id === "string" && id !== "" ? id : undefined;
}

const roleOf = (message: unknown): unknown => (Object(message) as { readonly role?: unknown }).role;

function toContentPart(part: JsonBody, files: UploadReader): ContentPart[] {
  switch (part["type"]) {
    case "text":
      return part["text"] === "" ? [] : [{ type: "text", text: asText(part["text"], "A text part's text") }];
    case "file":
      if (typeof part["url"] !== "string" || !part["url"].startsWith("data:"))
        throw invalid("Send files as data: URLs.");
      return [files.read({ data: part["url"], mediaType: part["mediaType"], filename: part["filename"] })];
    default:
      throw invalid(`A message of the user cannot hold a part of type "${String(part["type"])}".`);
  }
}
