import type { Message } from "@ag-ui/core";
import type { ClientToolDefinition, ContentPart } from "@bailiwick/core";
import type { AgUiOptions } from "./ag-ui-options.ts";
import type { ClientResult } from "./client-results.ts";
import { readAnswers, type InterruptAnswer } from "./interrupt-answers.ts";
import { readPageTools } from "./page-tools.ts";
import { asObject, asText, type JsonBody } from "./read-body.ts";
import { invalid } from "./request-error.ts";
import { uploadReader, type UploadOptions, type UploadReader } from "./uploads.ts";

/** Request of an AG-UI client. */
export interface AgUiRequest {
  /** The session. */
  readonly threadId: string;
  /** The client's name of this AG-UI run. */
  readonly runId: string;
  /** The messages that the client shows so far. */
  readonly messages: readonly Message[];
  /** Answers to the run's open questions; empty if a message starts a run. */
  readonly answers: readonly InterruptAnswer[];
  /** Results of client tools: the messages of the role `tool` at the end. */
  readonly results: readonly ClientResult[];
  /** Tools that the page offers. */
  readonly tools: readonly ClientToolDefinition[];
  /** The page's context texts about itself: untrusted. */
  readonly context: readonly ContentPart[];
  readonly state: Readonly<Record<string, unknown>>;
  /** Unused parts of the request, described for the page's developer. */
  readonly warnings: readonly string[];
}

const fields: ReadonlySet<string> = new Set([
  "threadId",
  "runId",
  "parentRunId",
  "protocolVersion",
  "messages",
  "tools",
  "context",
  "state",
  "resume",
  "forwardedProps",
]);

/**
 * Reads the body of an AG-UI client.
 *
 * @throws RequestError `INVALID_REQUEST`, naming the field.
 */
export function readAgUiRequest(body: JsonBody, options: AgUiOptions = {}): AgUiRequest {
  const { messages, resume, tools, context, state, forwardedProps } = body;
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  if (!Array.isArray(messages)) throw invalid('"messages" has to be a list.');
  const lists = {
    tools: listOf(tools, "tools"),
    context: listOf(context, "context"),
    resume: listOf(resume, "resume"),
  };
  for (const name of Object.keys(body)) if (!fields.has(name)) warn(`The field "${name}" is not used.`);
  if (typeof forwardedProps === "object" && forwardedProps !== null && Object.keys(forwardedProps).length > 0)
    warn('"forwardedProps" is not used: the settings of a run are the server\'s.');
  const given = state === undefined || state === null ? {} : asObject(state, '"state"');
  const keys = options.state?.keys ?? [];
  for (const name of Object.keys(given))
    if (!keys.includes(name)) warn(`The key "${name}" of the state is not used: this agent does not take it.`);
  return {
    threadId: asText(body["threadId"], '"threadId"'),
    runId: asText(body["runId"], '"runId"'),
    messages: messages as readonly Message[],
    answers: readAnswers(lists.resume),
    results: readResults(messages),
    tools: readPageTools(lists.tools, options.tools, warn),
    context: lists.context.map(readContext),
    state: given,
    warnings,
  };
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(`"${name}" has to be a list.`);
  return value;
}

function readContext(entry: unknown, index: number): ContentPart {
  const { description, value } = asObject(entry, `context[${index}]`);
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  // The page's text may come from anyone whose data it shows.
  return {
    type: "text",
    text: `The page says: ${typeof description === "string" ? description : ""}\n${text}`,
    untrusted: true,
  };
}

/** The results at the end of the client's messages. */
function readResults(messages: readonly unknown[]): readonly ClientResult[] {
  const from = messages.findLastIndex((message) => asObject(message, "A message")["role"] !== "tool") + 1;
  return messages.slice(from).map((message) => {
    const { toolCallId, content, error } = asObject(message, "A message");
    const callId = asText(toolCallId, "The toolCallId of a message");
    if (typeof error === "string" && error !== "") return { callId, error };
    const output = typeof content === "string" ? content : textOf(content);
    return { callId, output, isText: true };
  });
}

function textOf(content: unknown): string {
  return asList(content)
    .map((part) => asText(asObject(part, "A part of a result")["text"], "A part of a result"))
    .join("\n");
}

/**
 * The user's input: the last message, after the page's context. Earlier messages come from the session's store, because
 * the page could have invented them.
 *
 * @throws RequestError `INVALID_REQUEST`
 */
export function inputOf({ messages, context }: AgUiRequest, uploads?: UploadOptions): readonly ContentPart[] {
  const last = asObject(messages.at(-1), "The last message");
  if (last["role"] !== "user") throw invalid('"messages" has to end with a message of the user.');
  const { content } = last;
  const parts: readonly unknown[] = typeof content === "string" ? [{ type: "text", text: content }] : asList(content);
  const files = uploadReader(uploads);
  const input = parts.flatMap((part) => toContentPart(asObject(part, "A part of the last message"), files));
  if (input.length === 0) throw invalid("The last message is empty.");
  return [...context, ...input];
}

function asList(content: unknown): readonly unknown[] {
  if (!Array.isArray(content)) throw invalid("The last message needs a text or a list of parts as its content.");
  return content;
}

function toContentPart(part: JsonBody, files: UploadReader): ContentPart[] {
  const { type } = part;
  if (type === "text") return part["text"] === "" ? [] : [{ type, text: asText(part["text"], "A text part's text") }];
  if (type === "image" || type === "audio" || type === "video" || type === "document") {
    const source = asObject(part["source"], "The source of a part");
    // Refers only to content inside the request: a fetched address could return anything by the time that it is read.
    if (source["type"] !== "data") throw invalid('Send files with a source of type "data".');
    return [files.read({ data: source["value"], mediaType: source["mimeType"] })];
  }
  throw invalid(`A message of the user cannot hold a part of type "${String(type)}".`);
}
