import {
  ContextOverflowError,
  filledObject,
  isJsonObject,
  jsonObjects,
  jsonText,
  ModelResponseError,
  unknownContent,
  responseOf,
  showsOverflow,
} from "@bailiwick/core/provider";
import type {
  AssistantPart,
  FailureMoment,
  FinishReason,
  JsonValue,
  ModelRequest,
  ModelResponse,
  Warning,
} from "@bailiwick/core/provider";
import { embeddedError } from "../errors.ts";
import type { ModelContext } from "../model-context.ts";
import type { PreparedTools } from "../prepared-tools.ts";
import { addUsages, noUsage, readUsage, withCodeRuns } from "../usage.ts";
import { isPause, type AnswerBlock } from "./blocks.ts";
import { readParts } from "./parts.ts";

/** Options of reading an answer. */
export interface ReadContext {
  readonly context: ModelContext;
  readonly tools: PreparedTools;
  readonly warnings: readonly Warning[];
  readonly request: ModelRequest;
}

/** One answer of the Messages API. An answer that paused is followed by another that continues it. */
export interface MessageObject {
  readonly id?: unknown;
  readonly model?: unknown;
  readonly blocks: readonly AnswerBlock[];
  readonly usage?: unknown;
  readonly stopReason?: unknown;
  readonly stopDetails?: unknown;
  readonly container?: unknown;
}

/**
 * Reads a whole answer: one message, or several that continue each other. A streamed answer is read the same way once
 * its blocks are complete.
 *
 * @param messages - In order; the last one has the stop reason.
 * @param read - The model and the request's tools.
 * @param partial - True if the answer was interrupted: it has only the content that had arrived.
 */
export function readResponse(
  messages: readonly MessageObject[],
  { context, tools, warnings }: ReadContext,
  partial = false,
): ModelResponse {
  const last = messages.at(-1);
  const { parts, calls, dropped, unknown } = readParts(
    messages.flatMap(({ blocks }) => blocks),
    tools,
  );
  const refusal = refusalPart(last);
  if (refusal !== undefined) parts.push(refusal);
  const usage = withCodeRuns(addUsages(messages.map((message) => readUsage(message.usage) ?? noUsage)), parts);
  const rawFinishReason = jsonText(last?.stopReason) || undefined;
  const container = messages.findLast((message) => isJsonObject(message.container))?.container;
  const paused: readonly Warning[] =
    isPause(rawFinishReason) && !partial
      ? [
          {
            code: "pause_limit",
            message: `The answer still paused after ${messages.length} requests: raise "maxContinuations", or send a message that continues it.`,
          },
        ]
      : [];
  return responseOf({
    responseId: jsonText(last?.id) || undefined,
    responseModel: jsonText(last?.model) || undefined,
    content: parts,
    toolCalls: calls,
    finishReason: finishOf(rawFinishReason, calls.length > 0),
    rawFinishReason,
    provenance: { provider: "anthropic", api: "messages", model: context.modelId },
    usage,
    ...(container === undefined ? {} : { providerState: { container } as JsonValue }),
    warnings: [...warnings, ...paused, ...dropped.map(droppedCall), ...unknownContent(unknown, context.modelId)],
    partial,
  });
}

function droppedCall(name: string): Warning {
  return {
    code: "call_dropped",
    message: `A call of "${name}" did not run: the model that wrote it declined, and another model answered instead.`,
    subject: name,
  };
}

/**
 * Checks a complete answer.
 *
 * @param response - The answer as read.
 * @param last - The message that ends it.
 * @throws ContextOverflowError if it shows that the request did not fit.
 */
export function checkResponse(
  response: ModelResponse,
  last: MessageObject | undefined,
  { context, request }: ReadContext,
): void {
  const usage = readUsage(last?.usage) ?? noUsage;
  const filled = response.rawFinishReason === "model_context_window_exceeded" && response.message.content.length === 0;
  if (filled || showsOverflow({ ...response, usage }, context.capabilities, request.maxTokens)) {
    throw new ContextOverflowError(`The request does not fit the context window of ${context.modelId}.`, {
      provider: "anthropic",
      model: context.modelId,
      partial: response,
    });
  }
}

/**
 * Reads the body of an answer that was not streamed.
 *
 * @param body - The parsed body.
 * @throws ModelError if it is not a message, or reports a failure.
 */
export function readBody(
  body: unknown,
  context: ModelContext,
  moment: FailureMoment & { readonly headers: Headers },
): MessageObject {
  if (isJsonObject(body) && filledObject(body["error"]) !== undefined) throw embeddedError(body, context, moment);
  if (!isJsonObject(body) || !Array.isArray(body["content"])) {
    throw new ModelResponseError(
      `The answer of ${context.modelId} is not a message: it has no "content". Check the base URL.`,
      {
        provider: "anthropic",
        model: context.modelId,
        retryable: true,
        body: JSON.stringify(body),
      },
    );
  }
  return {
    id: body["id"],
    model: body["model"],
    blocks: jsonObjects(body["content"]).map((block) => ({ block })),
    usage: body["usage"],
    stopReason: body["stop_reason"],
    stopDetails: body["stop_details"],
    container: body["container"],
  };
}

function refusalPart(last: MessageObject | undefined): AssistantPart | undefined {
  if (last?.stopReason !== "refusal" || !isJsonObject(last.stopDetails)) return undefined;
  const text = jsonText(last.stopDetails["explanation"]);
  return text === "" ? undefined : { type: "refusal", text };
}

function finishOf(raw: string | undefined, calls: boolean): FinishReason {
  switch (raw) {
    case "end_turn":
    case "stop_sequence":
    case "tool_use":
    // Values of Chat Completions, which servers of other makers use here.
    case "stop":
    case "tool_calls":
      return calls ? "tool_calls" : "stop";
    case "max_tokens":
    case "length":
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
      return "content_filter";
    default:
      return calls && raw === undefined ? "tool_calls" : "other";
  }
}
