import {
  ContextOverflowError,
  isJsonObject,
  jsonText,
  ModelApiError,
  ModelResponseError,
  responseOf,
  showsOverflow,
} from "@bailiwick/core/provider";
import type {
  AssistantPart,
  FinishReason,
  JsonValue,
  ModelResponse,
  SourcePart,
  ToolCall,
  Warning,
} from "@bailiwick/core/provider";
import type { WithHeaders } from "../client.ts";
import { foreignAnswer } from "../errors.ts";
import type { ReadContext } from "../read-context.ts";
import { readTier } from "../billing.ts";
import { noUsage, readUsage } from "../usage.ts";
import { answerOfBody, type ChatAnswer } from "./chat-answer.ts";

/**
 * Reads an answer. A streamed answer is read the same way once it is complete.
 *
 * @param answer - Its fields.
 * @param read - The model and the request's tools.
 * @param partial - True if the answer was interrupted: it has only the content that had arrived.
 */
export function readAnswer(
  answer: ChatAnswer,
  { context, tools, warnings }: ReadContext,
  partial = false,
): ModelResponse {
  const calls = answer.calls.map((call): ToolCall => {
    const name = tools.readName(call.name);
    const state = call.extra === undefined ? {} : { providerState: { extra: call.extra } };
    return { id: call.id, name, arguments: call.arguments, ...tools.readInput(name, call.arguments), ...state };
  });
  return responseOf({
    responseId: answer.id,
    responseModel: answer.model,
    content: partsOf(answer, calls),
    toolCalls: calls,
    finishReason: finishOf(answer),
    rawFinishReason: answer.finishReason,
    provenance: { provider: context.compat.provider, api: "chat", model: context.modelId },
    ...stateOf(answer),
    usage: { ...(readUsage(answer.usage) ?? noUsage), ...readTier(answer.tier) },
    warnings: [...warnings, ...lateWarnings(answer)],
    partial,
  });
}

/** The vendor's data of an answer: a signature, and files that the server has read and does not want to read again. */
function stateOf({ extra, annotations }: ChatAnswer): { readonly providerState?: JsonValue } {
  const files = annotations.filter(({ type }) => type === "file") as readonly JsonValue[];
  if (extra === undefined && files.length === 0) return {};
  return { providerState: { ...(extra !== undefined && { extra }), ...(files.length > 0 && { files }) } };
}

/** Facts about an answer that are known at its end. */
function lateWarnings({ more, lateError }: ChatAnswer): readonly Warning[] {
  return [
    ...(more ? [{ code: "answers_unused", message: "Only the first of several answers is used." }] : []),
    ...(lateError === undefined
      ? []
      : [{ code: "late_error", message: `The answer was complete when the server reported an error: ${lateError}` }]),
  ];
}

/**
 * Checks a complete answer.
 *
 * @throws ContextOverflowError if it shows that the request did not fit.
 * @throws ModelApiError `MODEL_TOOL_CALL_INVALID` if the model wrote an invalid call.
 * @throws ModelResponseError if the server reports that the answer failed.
 */
export function checkAnswer(response: ModelResponse, { context, request }: ReadContext): void {
  const common = { provider: context.compat.provider, model: context.modelId, partial: response, retryable: true };
  if (showsOverflow(response, context.capabilities, request.maxTokens)) {
    throw new ContextOverflowError(`The request does not fit the context window of ${context.modelId}.`, common);
  }
  const { rawFinishReason: word } = response;
  if (word?.startsWith("function_call_filter") === true) {
    throw new ModelApiError(
      "MODEL_TOOL_CALL_INVALID",
      `${context.modelId} wrote a tool call that its vendor could not read (${word}).`,
      common,
    );
  }
  if (response.message.toolCalls.some(({ name }) => name === "")) {
    throw new ModelApiError(
      "MODEL_TOOL_CALL_INVALID",
      `${context.compat.provider} sent a tool call of ${context.modelId} without a name. Check the tool-call parser of the server.`,
      common,
    );
  }
  if (response.finishReason === "error") {
    throw new ModelResponseError(
      `${context.modelId} stopped in the middle of its answer (${word ?? "no reason given"}).`,
      common,
    );
  }
}

/**
 * Reads the body of an answer that was not streamed.
 *
 * @throws ModelError if it is not an answer, or reports a failure.
 */
export function readBody(body: unknown, sent: WithHeaders, read: ReadContext): ModelResponse {
  const { context } = read;
  const answer = answerOfBody(body, context, sent);
  if (answer === undefined) {
    throw foreignAnswer(context, "a chat completion: it has no message", body);
  }
  const response = readAnswer(answer, read);
  checkAnswer(response, read);
  return { ...response, raw: body };
}

function partsOf(answer: ChatAnswer, calls: readonly ToolCall[]): AssistantPart[] {
  const parts: AssistantPart[] = [];
  if (answer.reasoning !== "" || answer.reasoningDetails.length > 0) {
    const { reasoningDetails: details, reasoningField: field } = answer;
    const state =
      details.length > 0 ? { details: details as readonly JsonValue[] } : field === undefined ? undefined : { field };
    parts.push({
      type: "reasoning",
      text: answer.reasoning,
      ...(state === undefined ? {} : { providerState: state as JsonValue }),
    });
  }
  parts.push(...answer.hosted);
  if (answer.text !== "") parts.push({ type: "text", text: answer.text });
  for (const annotation of answer.annotations) {
    const source = readSource(annotation);
    if (source !== undefined) parts.push(source);
  }
  parts.push(...answer.references, ...answer.citations, ...answer.images);
  if (answer.refusal !== "") parts.push({ type: "refusal", text: answer.refusal });
  if (answer.audio !== undefined) {
    if (answer.text === "" && answer.audio.transcript !== "")
      parts.push({ type: "text", text: answer.audio.transcript });
    parts.push({
      type: "audio",
      data: answer.audio.data,
      mimeType: "audio/wav",
      providerState: { audio: answer.audio.id },
    });
  }
  for (const call of calls) parts.push({ type: "tool_call", toolCallId: call.id });
  return parts;
}

/** A citation, if an annotation is one. */
export function readSource(annotation: Readonly<Record<string, unknown>>): SourcePart | undefined {
  const cited = annotation["url_citation"];
  if (!isJsonObject(cited)) return undefined;
  const title = jsonText(cited["title"]);
  return { type: "source", url: jsonText(cited["url"]), ...(title === "" ? {} : { title }) };
}

/** Ends of a complete answer. */
const stopped: ReadonlySet<string> = new Set(["stop", "eos", "eos_token", "end_turn", "stop_sequence", "complete"]);

/** Stop reasons of an interrupted answer, whose content may be incomplete. */
const brokenOff: ReadonlySet<string> = new Set(["error", "abort", "insufficient_system_resource", "network_error"]);

/** The parts of an answer that tell how it ended. */
interface FinishedAnswer {
  readonly finishReason: string | undefined;
  readonly calls: { readonly length: number };
  readonly refusal: string;
}

/**
 * The calls decide, not the stop reason: compatible servers end a turn with calls with any reason. Gemini's endpoint
 * adds another value: `content_filter: PROHIBITED_CONTENT`.
 */
export function finishOf({ finishReason, calls, refusal }: FinishedAnswer): FinishReason {
  const word = finishReason?.split(":")[0]?.toLowerCase();
  switch (word) {
    case "length":
    case "max_tokens":
    case "model_length":
    case "model_context_window_exceeded":
      return "length";
    case "content_filter":
    case "safety":
    case "sensitive":
    case "recitation":
    case "blocklist":
    case "prohibited_content":
    case "spii":
      return "content_filter";
    case "function_call_filter":
      return "error";
    default:
      if (word !== undefined && brokenOff.has(word)) return "error";
      if (calls.length > 0) return "tool_calls";
      if (refusal !== "") return "content_filter";
      return word === undefined || stopped.has(word) ? "stop" : "other";
  }
}
