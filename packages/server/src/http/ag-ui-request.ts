import type { Message } from "@ag-ui/core";
import type { ContentPart } from "@bailiwick/core";
import { asObject, asText, type JsonBody } from "./read-body.ts";
import { invalid } from "./request-error.ts";
import { readAnswers, type InterruptAnswer } from "./interrupt-answers.ts";

/** What an AG-UI client asks for. */
export interface AgUiRequest {
  /** The session. */
  readonly threadId: string;
  /** The client's name of what it starts here. */
  readonly runId: string;
  /** What the client shows so far. */
  readonly messages: readonly Message[];
  /** Answers to what a run waits for; empty when a message starts a run. */
  readonly answers: readonly InterruptAnswer[];
}

/**
 * Reads the body of an AG-UI client. Fields that would change what the agent does are refused: its tools, context and
 * state are its own, and not the page's.
 *
 * @throws RequestError `INVALID_REQUEST`, naming the field.
 */
export function readAgUiRequest(body: JsonBody): AgUiRequest {
  const { messages, resume, tools, context, state } = body;
  if (!Array.isArray(messages)) throw invalid('"messages" has to be a list.');
  if (Array.isArray(tools) && tools.length > 0)
    throw invalid('"tools" has to be empty: an agent calls the tools that it was made with.');
  if (Array.isArray(context) && context.length > 0)
    throw invalid('"context" has to be empty: put what the agent should read into the message.');
  if (typeof state === "object" && state !== null && Object.keys(state).length > 0)
    throw invalid("\"state\" has to be empty: a run's state is the server's own.");
  if (resume !== undefined && !Array.isArray(resume)) throw invalid('"resume" has to be a list.');
  return {
    threadId: asText(body["threadId"], '"threadId"'),
    runId: asText(body["runId"], '"runId"'),
    messages: messages as readonly Message[],
    answers: readAnswers(resume ?? []),
  };
}

/**
 * What the user says: the last message. Earlier ones come from the session's own store and not from the page, which could
 * have made them up.
 *
 * @throws RequestError `INVALID_REQUEST`
 */
export function inputOf({ messages }: AgUiRequest): readonly ContentPart[] {
  const last = asObject(messages.at(-1), "The last message");
  if (last["role"] !== "user") throw invalid('"messages" has to end with a message of the user.');
  const { content } = last;
  const parts: readonly unknown[] = typeof content === "string" ? [{ type: "text", text: content }] : asList(content);
  const input = parts.flatMap((part) => toContentPart(asObject(part, "A part of the last message")));
  if (input.length === 0) throw invalid("The last message is empty.");
  return input;
}

function asList(content: unknown): readonly unknown[] {
  if (!Array.isArray(content)) throw invalid("The last message needs a text or a list of parts as its content.");
  return content;
}

function toContentPart(part: JsonBody): ContentPart[] {
  const { type } = part;
  if (type === "text") return part["text"] === "" ? [] : [{ type, text: asText(part["text"], "A text part's text") }];
  if (type === "image" || type === "audio" || type === "video" || type === "document") {
    const source = asObject(part["source"], "The source of a part");
    // Only what the page itself holds: a fetched address could be anything by the time that it is read.
    if (source["type"] !== "data") throw invalid('Send files with a source of type "data".');
    const mimeType = asText(source["mimeType"], "The mimeType of a source");
    return [{ type: "file", data: asText(source["value"], "The value of a source"), mimeType }];
  }
  throw invalid(`A message of the user cannot hold a part of type "${String(type)}".`);
}
