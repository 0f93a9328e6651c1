import { isJsonObject, jsonObjects, jsonText } from "@bailiwick/core/provider";
import { addPiece, beginsInPieces, isPiece, newText, openCall, type OpenCall } from "./call-pieces.ts";
import type { WirePart } from "./wire-part.ts";
import { withoutZeros } from "./zero-values.ts";

/** A part of an answer, with the id of its call if it is one. */
export interface AnswerPart {
  readonly part: WirePart;
  readonly callId: string | undefined;
}

/** An answer with its fields collected, from one body or from many chunks. */
export interface GenerateAnswer {
  id: string | undefined;
  model: string | undefined;
  parts: AnswerPart[];
  finishReason: string | undefined;
  finishMessage: string | undefined;
  /** The vendor's reason for blocking the prompt. */
  blocked: { readonly reason: string; readonly message: string } | undefined;
  /** Metadata of candidates, unchanged: grounding, citations, pages that were read. */
  metadata: Readonly<Record<string, unknown>>[];
  usage: unknown;
  /** Indices of the candidates: only the first is read, and a request may have asked for more. */
  candidates: Set<unknown>;
  /** The call whose arguments arrive in pieces. */
  open: OpenCall | undefined;
  /** True if a call was incomplete, or a piece of it could not be read. */
  broken: boolean;
}

/** An empty answer, before the first chunk. */
export function emptyAnswer(): GenerateAnswer {
  return {
    id: undefined,
    model: undefined,
    parts: [],
    finishReason: undefined,
    finishMessage: undefined,
    blocked: undefined,
    metadata: [],
    usage: undefined,
    candidates: new Set(),
    open: undefined,
    broken: false,
  };
}

/** Callback that gets the streamed parts of an answer. */
export interface AnswerListener {
  /** A part, unchanged; `callId` if it is a call. */
  part(part: WirePart, callId: string | undefined): void;
  /** A call begins whose arguments arrive in pieces. */
  callBegins(part: WirePart, callId: string): void;
  /** More of its arguments arrived. */
  callGrows(argumentsDelta: string, callId: string): void;
  /** The answer is complete. */
  callEnds(callId: string): void;
  /** A candidate had metadata. */
  metadata(): void;
}

/**
 * Reads the fields of a body or a chunk.
 *
 * @param answer - Receives them.
 * @param chunk - The parsed JSON.
 * @param listener - Called with each part that was read.
 */
export function takeChunk(
  answer: GenerateAnswer,
  chunk: Readonly<Record<string, unknown>>,
  listener?: AnswerListener,
): void {
  answer.id ??= jsonText(chunk["responseId"]) || undefined;
  answer.model ??= jsonText(chunk["modelVersion"]) || undefined;
  // Each chunk repeats the counts up to it: the last one has them all.
  if (isJsonObject(chunk["usageMetadata"])) answer.usage = chunk["usageMetadata"];
  const feedback = chunk["promptFeedback"];
  if (isJsonObject(feedback) && jsonText(feedback["blockReason"]) !== "") {
    answer.blocked = { reason: jsonText(feedback["blockReason"]), message: jsonText(feedback["blockReasonMessage"]) };
  }
  const candidate = ownCandidate(answer, chunk);
  if (candidate === undefined) return;
  const { content } = candidate;
  const parts: unknown = isJsonObject(content) ? content["parts"] : undefined;
  if (Array.isArray(parts)) {
    for (const part of parts) if (isJsonObject(part)) takePart(answer, withoutZeros(part), listener);
  }
  if (hasMetadata(candidate)) {
    answer.metadata.push(candidate);
    listener?.metadata();
  }
  const reason = jsonText(candidate["finishReason"]);
  if (reason !== "") {
    answer.finishReason = reason;
    // A token limit may cut a call off at any point: such an answer is not a turn of calls.
    endCall(answer, reason === "MAX_TOKENS", listener);
  }
  if (typeof candidate["finishMessage"] === "string") answer.finishMessage = candidate["finishMessage"];
}

/** The part of a chunk that belongs to the first candidate. */
function ownCandidate(
  answer: GenerateAnswer,
  chunk: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  let own: Readonly<Record<string, unknown>> | undefined;
  for (const candidate of jsonObjects(chunk["candidates"])) {
    answer.candidates.add(candidate["index"] ?? 0);
    const [first] = answer.candidates;
    if ((candidate["index"] ?? 0) === first) own ??= candidate;
  }
  return own;
}

function hasMetadata(candidate: Readonly<Record<string, unknown>>): boolean {
  return (
    candidate["groundingMetadata"] !== undefined ||
    candidate["citationMetadata"] !== undefined ||
    candidate["urlContextMetadata"] !== undefined
  );
}

/**
 * Adds a part. Text is appended to the previous text, unless one of them is signed: a signature is valid for its own
 * part.
 */
function takePart(answer: GenerateAnswer, part: WirePart, listener: AnswerListener | undefined): void {
  const { parts } = answer;
  const { text } = part;
  // The vendor refuses a part without data.
  if (Object.keys(part).length === 0) return;
  if (typeof text === "string" && part["thoughtSignature"] === undefined) {
    if (text === "") return;
    const last: Record<string, unknown> | undefined = parts[parts.length - 1]?.part;
    const before = last?.["text"];
    const grows =
      last !== undefined &&
      typeof before === "string" &&
      last["thoughtSignature"] === undefined &&
      last["thought"] === part["thought"];
    if (grows) last["text"] = before + text;
    // A copy, because it grows: the received parts are returned as raw events.
    else parts.push({ part: { ...part }, callId: undefined });
    listener?.part(part, undefined);
    return;
  }
  const call = part["functionCall"];
  if (isJsonObject(call) && takePiece(answer, part, call, listener)) return;
  const id = isJsonObject(call) ? callId(call) : undefined;
  parts.push({ part, callId: id });
  listener?.part(part, id);
}

/** Handles a part of a call that arrives in pieces; false if it is a whole call. */
function takePiece(
  answer: GenerateAnswer,
  part: WirePart,
  call: Readonly<Record<string, unknown>>,
  listener: AnswerListener | undefined,
): boolean {
  const begins = beginsInPieces(call);
  if (!begins && !isPiece(call)) {
    endCall(answer, false, listener);
    return false;
  }
  if (begins) {
    endCall(answer, false, listener);
    const open = openCall(part, callId(call));
    answer.open = open;
    answer.parts.push({ part: open.part, callId: open.callId });
    listener?.callBegins(open.part, open.callId);
  }
  const { open } = answer;
  const isEnd = !begins && call["partialArgs"] === undefined && call["willContinue"] !== true;
  if (open === undefined) {
    // The mark of an end may come again; arguments without a call are dropped.
    if (!isEnd) answer.broken = true;
    return true;
  }
  if (!addPiece(open, call)) answer.broken = true;
  const added = isEnd ? "" : newText(open, false);
  if (added !== "") listener?.callGrows(added, open.callId);
  if (isEnd) endCall(answer, true, listener);
  return true;
}

/** Ends the call that arrives in pieces. An incomplete call is dropped, unless the vendor marked its end. */
function endCall(answer: GenerateAnswer, marked: boolean, listener: AnswerListener | undefined): void {
  const { open } = answer;
  if (open === undefined) return;
  answer.open = undefined;
  if (answer.broken || (open.continues && !marked)) {
    answer.broken = true;
    answer.parts = answer.parts.filter(({ callId: id }) => id !== open.callId);
    return;
  }
  const rest = newText(open, true);
  if (rest !== "") listener?.callGrows(rest, open.callId);
  listener?.callEnds(open.callId);
}

/** The vendor's id of a call, or a generated one: models before Gemini 3 send none. */
function callId(call: Readonly<Record<string, unknown>>): string {
  return jsonText(call["id"]) || `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
}
