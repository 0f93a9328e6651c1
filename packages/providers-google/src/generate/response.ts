import {
  ContextOverflowError,
  isJsonObject,
  ModelApiError,
  ModelResponseError,
  responseOf,
  showsOverflow,
  unknownContent,
} from "@bailiwick/core/provider";
import type { FinishReason, ModelRequest, ModelResponse, Warning } from "@bailiwick/core/provider";
import { embeddedError, errorIn } from "../errors.ts";
import type { ModelContext } from "../model-context.ts";
import type { PreparedTools } from "../prepared-tools.ts";
import { countHostedCalls, noUsage, readUsage } from "../usage.ts";
import { emptyAnswer, takeChunk, type GenerateAnswer } from "./answer.ts";
import { isKnownPart, readParts } from "./parts.ts";
import { readSearch, readSources, unreadPages } from "./sources.ts";

/** Options of reading an answer. */
export interface ReadContext {
  readonly context: ModelContext;
  readonly tools: PreparedTools;
  readonly warnings: readonly Warning[];
  readonly request: ModelRequest;
}

/**
 * Reads an answer. A streamed answer is read the same way once it is complete.
 *
 * @param answer - Its fields.
 * @param read - The model and the request's tools.
 * @param partial - True if the answer was interrupted: it has only the content that had arrived.
 */
export function readAnswer(
  answer: GenerateAnswer,
  { context, tools, warnings }: ReadContext,
  partial = false,
): ModelResponse {
  const { parts, calls } = readParts(answer.parts, tools);
  const finishReason = finishOf(answer, calls.length > 0);
  const refusal = (answer.blocked?.message || (finishReason === "content_filter" ? answer.finishMessage : "")) ?? "";
  const told = parts.some((part) => part.type === "hosted_tool" && part.toolName === "google_search");
  const search = told ? undefined : readSearch(answer.metadata);
  const content = [
    ...parts,
    ...(search === undefined ? [] : [search]),
    ...readSources(answer.metadata),
    ...(refusal === "" ? [] : [{ type: "refusal", text: refusal } as const]),
  ];
  return responseOf({
    responseId: answer.id,
    responseModel: answer.model,
    content,
    toolCalls: calls,
    finishReason,
    rawFinishReason: answer.finishReason ?? answer.blocked?.reason,
    provenance: { provider: "google", api: context.api, model: context.modelId },
    usage: {
      ...(readUsage(answer.usage) ?? noUsage),
      ...countHostedCalls(content, context.traits.thirdGeneration, answer.metadata),
    },
    warnings: [
      ...warnings,
      ...readWarnings(answer, finishReason),
      ...unknownContent(unknownParts(answer.parts), context.modelId),
    ],
    partial,
  });
}

/** Names of parts that this version does not know. */
function unknownParts(parts: GenerateAnswer["parts"]): readonly string[] {
  return parts
    .flatMap(({ part }) => (isKnownPart(part) ? [] : [Object.keys(part)[0] ?? ""]))
    .filter((name) => name !== "");
}

const unusedAnswers: Warning = {
  code: "answers_unused",
  message: "The vendor sent several answers, and only the first is used. Ask for one.",
  subject: "candidateCount",
};

/** Warnings about facts that no part of the answer shows. */
function readWarnings(answer: GenerateAnswer, finishReason: FinishReason): readonly Warning[] {
  const { finishReason: word, finishMessage: said } = answer;
  const ended: Warning = {
    code: "ended_early",
    message: `The vendor ended the answer (${word ?? ""}): ${said ?? ""}`,
    subject: "finishReason",
  };
  const unread = unreadPages(answer.metadata).map(({ url, status }) => ({
    code: "page_unread",
    message: `The vendor could not read ${url} (${status}).`,
    subject: url,
  }));
  return [
    ...(answer.candidates.size > 1 ? [unusedAnswers] : []),
    ...(finishReason === "other" && said !== undefined ? [ended] : []),
    ...unread,
  ];
}

/** Stop reasons of an interrupted answer: the same request may succeed. */
const malformed = new Set(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"]);

/**
 * Checks a complete answer.
 *
 * @throws ContextOverflowError if it shows that the request did not fit.
 * @throws ModelApiError `MODEL_TOOL_CALL_INVALID` if the model wrote an invalid call.
 * @throws ModelResponseError if the arguments of a call are incomplete.
 */
export function checkAnswer(response: ModelResponse, answer: GenerateAnswer, { context, request }: ReadContext): void {
  const common = { provider: "google", model: context.modelId, partial: asPartial(response) };
  if (showsOverflow(response, context.capabilities, request.maxTokens)) {
    throw new ContextOverflowError(`The request does not fit the context window of ${context.modelId}.`, common);
  }
  if (answer.broken) {
    throw new ModelResponseError(
      `${context.modelId} streamed the arguments of a call in pieces that are not a whole call. Repeat the request, or leave "streamFunctionCallArguments" out.`,
      { ...common, retryable: true },
    );
  }
  if (answer.finishReason !== undefined && malformed.has(answer.finishReason)) {
    const said = answer.finishMessage === undefined ? "" : ` ${answer.finishMessage}`;
    throw new ModelApiError(
      "MODEL_TOOL_CALL_INVALID",
      `${context.modelId} wrote a tool call that the vendor could not read (${answer.finishReason}).${said}`,
      { ...common, retryable: true },
    );
  }
}

/** A failed answer, as an error carries it: no part of it may run. */
function asPartial(response: ModelResponse): ModelResponse {
  const message = { ...response.message, finishReason: "error", partial: true } as const;
  return { ...response, message, finishReason: "error" };
}

/**
 * Reads the body of an answer that was not streamed.
 *
 * @param body - The parsed body.
 * @throws ModelError if it is not an answer, or reports a failure.
 */
export function readBody(body: unknown, read: ReadContext): ModelResponse {
  const { context } = read;
  const error = errorIn(body);
  if (error !== undefined) throw embeddedError(error, context, {});
  const answer = emptyAnswer();
  if (isJsonObject(body)) takeChunk(answer, body);
  if (!isJsonObject(body) || (!Array.isArray(body["candidates"]) && answer.blocked === undefined)) {
    throw new ModelResponseError(
      `The answer of ${context.modelId} has no candidates, and the vendor gives no reason. Check the base URL.`,
      {
        provider: "google",
        model: context.modelId,
        retryable: true,
        body: JSON.stringify(body),
      },
    );
  }
  const response = readAnswer(answer, read);
  checkAnswer(response, answer, read);
  return { ...response, raw: body };
}

const filtered = /^(SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|MODEL_ARMOR|JAILBREAK|IMAGE_\w+)$/;

function finishOf({ finishReason, blocked }: GenerateAnswer, calls: boolean): FinishReason {
  if (finishReason === undefined && blocked !== undefined) return "content_filter";
  switch (finishReason) {
    case "STOP":
    case "FINISH_REASON_UNSPECIFIED":
    case undefined:
      return calls ? "tool_calls" : "stop";
    case "MAX_TOKENS":
    case "CONTINUATION":
      return "length";
    case "MALFORMED_FUNCTION_CALL":
    case "UNEXPECTED_TOOL_CALL":
    case "MALFORMED_RESPONSE":
    case "TOO_MANY_TOOL_CALLS":
    case "MISSING_THOUGHT_SIGNATURE":
      return "error";
    default:
      return filtered.test(finishReason) ? "content_filter" : "other";
  }
}
