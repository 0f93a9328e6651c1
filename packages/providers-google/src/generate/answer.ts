import { isJsonObject, jsonText } from "@bailiwick/core/provider";
import type { WirePart } from "./wire-part.ts";

/** A part of an answer, with the id of its call where it is one. */
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
  /** Why the prompt was blocked, as the vendor says it. */
  blocked: { readonly reason: string; readonly message: string } | undefined;
  /** Metadata of candidates, as they came: grounding, citations, pages that were read. */
  metadata: Readonly<Record<string, unknown>>[];
  usage: unknown;
}

/** An answer that holds nothing yet. */
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
  };
}

/** Callback that gets the streamed parts of an answer. */
export interface AnswerListener {
  /** A part as it came; `callId` where it is a call. */
  part(part: WirePart, callId: string | undefined): void;
  /** A candidate had metadata. */
  metadata(): void;
}

/**
 * Takes the fields of a body or a chunk.
 *
 * @param answer - Takes them.
 * @param chunk - The parsed JSON.
 * @param listener - Told of what was taken.
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
  const candidate: unknown = Array.isArray(chunk["candidates"]) ? chunk["candidates"][0] : undefined;
  if (!isJsonObject(candidate)) return;
  const { content } = candidate;
  const parts: unknown = isJsonObject(content) ? content["parts"] : undefined;
  if (Array.isArray(parts)) {
    for (const part of parts) if (isJsonObject(part)) takePart(answer.parts, part, listener);
  }
  if (hasMetadata(candidate)) {
    answer.metadata.push(candidate);
    listener?.metadata();
  }
  const reason = jsonText(candidate["finishReason"]);
  if (reason !== "") answer.finishReason = reason;
  if (typeof candidate["finishMessage"] === "string") answer.finishMessage = candidate["finishMessage"];
}

function hasMetadata(candidate: Readonly<Record<string, unknown>>): boolean {
  return (
    candidate["groundingMetadata"] !== undefined ||
    candidate["citationMetadata"] !== undefined ||
    candidate["urlContextMetadata"] !== undefined
  );
}

/** Adds a part. Text grows the text before it, unless one of them is signed: a signature holds for its own part. */
function takePart(parts: AnswerPart[], part: WirePart, listener: AnswerListener | undefined): void {
  const { text } = part;
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
    // A copy, because it grows: what was received is handed out as raw events.
    else parts.push({ part: { ...part }, callId: undefined });
    listener?.part(part, undefined);
    return;
  }
  const id = isJsonObject(part["functionCall"]) ? callId(part["functionCall"]) : undefined;
  parts.push({ part, callId: id });
  listener?.part(part, id);
}

/** The vendor's id of a call, or one made here: before Gemini 3 there is none. */
function callId(call: Readonly<Record<string, unknown>>): string {
  return jsonText(call["id"]) || `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
}
