import {
  ContextOverflowError,
  filledObject,
  isJsonObject,
  jsonObjects,
  jsonText,
  ModelResponseError,
  responseOf,
  showsOverflow,
  unknownContent,
} from "@bailiwick/core/provider";
import type { AssistantPart, FailureMoment, FinishReason, ModelResponse } from "@bailiwick/core/provider";
import type { WithHeaders } from "../client.ts";
import { embeddedError, foreignAnswer } from "../errors.ts";
import type { ReadContext } from "../read-context.ts";
import { countHostedCalls, readTier } from "../billing.ts";
import { noUsage, readUsage } from "../usage.ts";
import { stateOf, type OutputItem } from "./items.ts";
import { isUnfinished } from "./background.ts";
import { readParts } from "./parts.ts";

/** An answer of the Responses API; only the fields that are read here are named. */
export type ResponseObject = Readonly<Record<string, unknown>>;

/**
 * Reads a whole answer. A streamed answer is read the same way once its items are complete.
 *
 * @param answer - The response object.
 * @param items - Its items, in order.
 * @param read - The model and the request's tools.
 * @param partial - True if the answer was interrupted: it has only the content that had arrived.
 */
export function readResponse(
  answer: ResponseObject,
  items: readonly OutputItem[],
  { context, tools, warnings }: ReadContext,
  partial = false,
): ModelResponse {
  const { parts, calls, unknown } = readParts(items, tools);
  const rawFinishReason = rawFinish(answer);
  return responseOf({
    responseId: jsonText(answer["id"]) || undefined,
    responseModel: jsonText(answer["model"]) || undefined,
    content: parts,
    toolCalls: calls,
    finishReason: finishOf(rawFinishReason, parts, calls.length > 0),
    rawFinishReason,
    provenance: { provider: context.compat.provider, api: "responses", model: context.modelId },
    usage: {
      ...(readUsage(answer["usage"]) ?? noUsage),
      ...readTier(answer["service_tier"]),
      ...countHostedCalls(items, answer["tools"]),
    },
    warnings: [...warnings, ...unknownContent(unknown, context.modelId)],
    partial,
  });
}

/**
 * Checks a complete answer.
 *
 * @param response - The answer as read.
 * @param answer - The response object.
 * @throws ModelApiError if the vendor reports a failure.
 * @throws ContextOverflowError if it shows that the request did not fit.
 */
export function checkResponse(
  response: ModelResponse,
  answer: ResponseObject,
  { context, request }: ReadContext,
  moment: FailureMoment,
): void {
  const error = filledObject(answer["error"]);
  if (answer["status"] === "failed" || (error !== undefined && answer["status"] !== "completed")) {
    const reported = error ?? { message: "The response failed." };
    throw embeddedError(reported, context, { ...moment, partial: response });
  }
  const unrun = unrunCall(response.message.content);
  if (unrun !== undefined && answer["status"] === "completed") {
    throw new ModelResponseError(`${context.modelId} wrote a "${unrun}", which nothing here runs. Offer a function.`, {
      provider: context.compat.provider,
      model: context.modelId,
      retryable: false,
      partial: response,
    });
  }
  if (showsOverflow(response, context.capabilities, request.maxTokens)) {
    throw new ContextOverflowError(`The request does not fit the context window of ${context.modelId}.`, {
      provider: context.compat.provider,
      model: context.modelId,
      partial: response,
    });
  }
}

/**
 * Reads the body of an answer that was not streamed.
 *
 * @param answer - The parsed body.
 * @throws ModelError if it is not an answer, or reports a failure.
 */
export function readBody(answer: unknown, sent: WithHeaders, read: ReadContext): ModelResponse {
  const { context } = read;
  const error = isJsonObject(answer) ? filledObject(answer["error"]) : undefined;
  if (isJsonObject(answer) && error !== undefined && !Array.isArray(answer["output"])) {
    throw embeddedError(error, context, { headers: sent.headers });
  }
  if (!isJsonObject(answer) || !Array.isArray(answer["output"])) {
    throw foreignAnswer(context, 'a response object: it has no "output"', answer);
  }
  refuseUnfinished(answer, read);
  const response = readResponse(answer, jsonObjects(answer["output"]) as readonly OutputItem[], read);
  checkResponse(response, answer, read, {});
  return { ...response, raw: answer };
}

/** An answer in the background is not there yet: it is no empty answer. */
function refuseUnfinished(answer: ResponseObject, { context }: ReadContext): void {
  if (!isUnfinished(answer)) return;
  const status = jsonText(answer["status"]);
  const id = jsonText(answer["id"]);
  throw new ModelResponseError(
    `The answer ${id} of ${context.modelId} is not finished: its status is "${status}". To wait for an answer in the background, pass it as an option: openaiOptions({ background: true }).`,
    { provider: context.compat.provider, model: context.modelId, retryable: false, body: JSON.stringify(answer) },
  );
}

/** Calls of the vendor's tools that the caller runs: those that the vendor runs have an output next to them. */
const callersCalls: ReadonlySet<string> = new Set([
  "computer_call",
  "local_shell_call",
  "shell_call",
  "apply_patch_call",
]);

function unrunCall(parts: readonly AssistantPart[]): string | undefined {
  const items = jsonObjects(parts.map((part) => (part.type === "hosted_tool" ? stateOf(part).item : undefined)));
  const outputs = new Set(
    items.filter(({ type }) => jsonText(type).endsWith("_output")).map((item) => item["call_id"]),
  );
  const call = items.find(
    ({ type, execution, call_id: id }) =>
      (callersCalls.has(jsonText(type)) || (type === "tool_search_call" && execution === "client")) && !outputs.has(id),
  );
  return call === undefined ? undefined : jsonText(call["type"]);
}

function rawFinish(answer: ResponseObject): string | undefined {
  const details = answer["incomplete_details"];
  const reason = isJsonObject(details) ? jsonText(details["reason"]) : "";
  return reason || jsonText(answer["status"]) || undefined;
}

function finishOf(raw: string | undefined, parts: readonly AssistantPart[], calls: boolean): FinishReason {
  switch (raw) {
    case "max_output_tokens":
    case "max_tokens":
      return "length";
    case "content_filter":
      return "content_filter";
    case "failed":
    case "cancelled":
      return "error";
    case "completed":
    case undefined:
      if (calls) return "tool_calls";
      return parts.some((part) => part.type === "refusal") ? "content_filter" : "stop";
    default:
      return calls ? "tool_calls" : "other";
  }
}
