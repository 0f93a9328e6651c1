import type { ScriptFinish } from "../../script/script-step.ts";
import type { JsonObject } from "../json.ts";
import type { Answer, WireEvent } from "../wire.ts";
import { contentParts } from "./content-parts.ts";

/** The JSON answer. */
export function encodeGenerateJson(answer: Answer): JsonObject {
  const tail = answerTail(answer);
  const blocked = promptFeedback(answer);
  if (blocked !== undefined) return { promptFeedback: blocked, ...tail };
  const parts = contentParts(answer).flatMap(({ whole }) => (whole === undefined ? [] : [whole]));
  const called = parts.some((part) => "functionCall" in part)
    ? { finishMessage: "Model generated function call(s)." }
    : {};
  const candidate = {
    content: { parts, role: "model" },
    finishReason: finishReason(answer),
    index: 0,
    ...called,
    ...grounding(answer),
  };
  return { candidates: [candidate], ...tail };
}

/** The answer as the chunks that the vendor sends; the last has the finish reason. */
export function encodeGenerateStream(answer: Answer): readonly WireEvent[] {
  const tail = answerTail(answer);
  const blocked = promptFeedback(answer);
  if (blocked !== undefined) return [{ data: { promptFeedback: blocked, ...tail }, terminal: true }];
  const parts = contentParts(answer).flatMap(({ streamed }) => streamed);
  const last = parts.at(-1);
  // A signature on an empty text closes the answer, else an empty text does.
  const closing = last?.["text"] === "" && "thoughtSignature" in last ? last : { text: "" };
  const shown = closing === last ? parts.slice(0, -1) : parts;
  const events = shown.map((part): WireEvent => ({
    data: { candidates: [{ content: { parts: [part], role: "model" }, index: 0 }], ...tail },
  }));
  const candidate = {
    content: { parts: [closing], role: "model" },
    finishReason: finishReason(answer),
    index: 0,
    ...grounding(answer),
  };
  return [...events, { data: { candidates: [candidate], ...tail }, terminal: true }];
}

const finishReasons: Readonly<Record<ScriptFinish, string>> = {
  stop: "STOP",
  tool_calls: "STOP",
  length: "MAX_TOKENS",
  content_filter: "SAFETY",
};

function finishReason({ turn }: Answer): string {
  return turn.step.rawFinish ?? finishReasons[turn.finish];
}

/** On this wire, a refusal with text is a blocked prompt, without a candidate. */
function promptFeedback({ turn }: Answer): JsonObject | undefined {
  const refusal = turn.parts.find((part) => part.type === "refusal");
  return refusal === undefined ? undefined : { blockReason: "PROHIBITED_CONTENT", blockReasonMessage: refusal.text };
}

function grounding({ turn }: Answer): JsonObject {
  const cited = turn.parts.flatMap((part) =>
    part.type === "text" ? part.sources.map((source) => ({ source, part })) : [],
  );
  if (cited.length === 0) return {};
  return {
    groundingMetadata: {
      groundingChunks: cited.map(({ source }) => ({ web: { uri: source.url, title: source.title ?? source.url } })),
      groundingSupports: cited.map(({ part }, index) => ({
        segment: { endIndex: Buffer.byteLength(part.text), text: part.text },
        groundingChunkIndices: [index],
      })),
    },
  };
}

function answerTail({ turn, usage, request, ids }: Answer): JsonObject {
  return {
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      candidatesTokenCount: usage.outputTokens - usage.reasoningTokens,
      totalTokenCount: usage.inputTokens + usage.outputTokens,
      ...(usage.cachedTokens > 0 ? { cachedContentTokenCount: usage.cachedTokens } : {}),
      promptTokensDetails: [{ modality: "TEXT", tokenCount: usage.inputTokens }],
      ...(usage.reasoningTokens > 0 ? { thoughtsTokenCount: usage.reasoningTokens } : {}),
    },
    modelVersion: turn.step.model ?? request.model,
    responseId: turn.step.responseId ?? ids.next("", 23),
  };
}
