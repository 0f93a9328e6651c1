import { answerJson, isJsonObject, jsonText, ModelError, ModelResponseError } from "@bailiwick/core/provider";
import type { ModelRequest, ModelResponse, StreamChunk } from "@bailiwick/core/provider";
import { APIError } from "openai/core/error";
import type { Client, WithHeaders } from "../client.ts";
import { toModelError } from "../errors.ts";
import type { ModelContext } from "../model-context.ts";

/** First and longest pause between two readings, in milliseconds. */
const [firstPauseMs, longestPauseMs] = [250, 5_000];

/** Number of readings in a row that may fail. */
const mostFailures = 20;

/** Statuses of an answer that the vendor still writes. */
const unfinished: ReadonlySet<string> = new Set(["queued", "in_progress"]);

/** True if the vendor still writes an answer. */
export function isUnfinished(answer: unknown): boolean {
  return isJsonObject(answer) && unfinished.has(jsonText(answer["status"]));
}

/**
 * Asks for an answer in the background, or takes the one that an earlier process asked for, and reads it until it is
 * complete. If the request is aborted, the answer is cancelled at the vendor, unless another process will read it.
 *
 * @param client - The client that sends the requests.
 * @param body - The request's body, as JSON.
 * @param request - Signal, key, and the run's part in the answer.
 * @param context - The model.
 * @param controller - Cancels the requests.
 */
export async function answerInBackground(
  client: Client,
  body: string,
  request: ModelRequest,
  context: ModelContext,
  controller: AbortController,
): Promise<{ readonly answer: unknown; readonly sent: WithHeaders }> {
  const { background } = request;
  const known = background?.id;
  let sent = known === undefined ? await client.send(body, request, controller) : undefined;
  let answer = sent === undefined ? undefined : answerJson(await sent.text());
  if (sent !== undefined && !isUnfinished(answer)) return { answer, sent };
  const id = known ?? (isJsonObject(answer) ? jsonText(answer["id"]) : "");
  const cancel = (): void => {
    if (background?.isKept() === true) return;
    void client.at("POST", `/${id}/cancel`, request, new AbortController()).catch((error: unknown) => {
      context.logger?.warn(`The answer ${id} could not be cancelled at the vendor.`, { error: String(error) });
    });
  };
  controller.signal.addEventListener("abort", cancel, { once: true });
  try {
    await background?.started(id);
    let failures = 0;
    for (let pauseMs = firstPauseMs; sent === undefined || isUnfinished(answer); pauseMs *= 1.5) {
      if (sent !== undefined || failures > 0) await pause(Math.min(pauseMs, longestPauseMs), controller.signal);
      try {
        sent = await client.at("GET", `/${id}`, request, controller);
        answer = answerJson(await sent.text());
        failures = 0;
      } catch (error) {
        failures += 1;
        throwIfLasting(error, id, context, controller.signal, failures);
      }
    }
    return { answer, sent };
  } finally {
    controller.signal.removeEventListener("abort", cancel);
  }
}

/** Throws the error of a reading unless the next reading may succeed. */
function throwIfLasting(
  error: unknown,
  id: string,
  context: ModelContext,
  signal: AbortSignal,
  failures: number,
): void {
  if (signal.aborted) throw error;
  if (error instanceof APIError && error.status === 404) {
    throw new ModelResponseError(
      `The vendor no longer has the answer ${id} of ${context.modelId}. It is asked for again.`,
      { provider: context.compat.provider, model: context.modelId, retryable: true, cause: error },
    );
  }
  const failure = toModelError(error, context, {});
  if (failures >= mostFailures || !(failure instanceof ModelError) || !failure.retryable) throw error;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/**
 * A whole answer as the chunks of a stream.
 *
 * @param response - The answer.
 * @yields the chunks.
 */
export function* chunksOf(response: ModelResponse): Generator<StreamChunk, void, undefined> {
  for (const part of response.message.content) {
    if (part.type === "reasoning" && part.text !== "") yield { type: "thinking", text: part.text };
    if (part.type === "text") {
      yield { type: "text", text: part.text, ...(part.commentary === true && { commentary: true }) };
    }
    if (part.type === "refusal") yield { type: "text", text: part.text };
    if (part.type === "source") yield { type: "source", source: part };
  }
  for (const { id, name, arguments: written } of response.message.toolCalls) {
    yield { type: "tool_call_start", toolCall: { id, name } };
    yield { type: "tool_call_delta", toolCallId: id, argumentsDelta: written };
    yield { type: "tool_call_end", toolCallId: id };
  }
  for (const warning of response.warnings) yield { type: "warning", warning };
  yield { type: "finish", finishReason: response.finishReason, usage: response.usage, response };
}
