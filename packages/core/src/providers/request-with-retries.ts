import { ModelAbortedError, ModelError } from "../errors/model-errors.ts";
import { linkSignal } from "./link-signal.ts";
import type { FailureMoment } from "./model-failure.ts";

/** A vendor's model that is called outside of a run: an embedding or a reranking model. */
export interface RetriedModel {
  /** Vendor, such as `openai`. */
  readonly provider: string;
  /** Id of the requested model. */
  readonly modelId: string;
  /** Returns the typed error for an error of a request. */
  readonly failure: (error: unknown, moment: FailureMoment) => Error;
}

/** First wait before another attempt, in milliseconds; it doubles. */
const firstDelayMs = 250;
/** Longest delay that a vendor may demand, in milliseconds; above it the call fails at once. */
const longestDelayMs = 10_000;

/**
 * Sends a request to a vendor, and retries it after a temporary failure: after the vendor's delay, or after 250 ms, 500
 * ms and so on. In a run, the runner retries instead.
 *
 * @param model - The model that is called.
 * @param request - Sends the request; `controller` cancels it.
 * @param options - `maxRetries`: further attempts, default 2; `signal` cancels the request and the wait.
 * @throws ModelError as `model.failure` makes it; ModelAbortedError.
 */
export async function requestWithRetries<T>(
  model: RetriedModel,
  request: (controller: AbortController) => Promise<T>,
  options: { readonly maxRetries?: number | undefined; readonly signal?: AbortSignal | undefined },
): Promise<T> {
  const { maxRetries = 2, signal } = options;
  for (let attempt = 0; ; attempt += 1) {
    const link = linkSignal(signal);
    try {
      signal?.throwIfAborted();
      return await request(link.controller);
    } catch (error) {
      const failure = model.failure(error, { aborted: signal?.aborted === true, reason: signal?.reason });
      const delayMs = delayAfter(failure, attempt);
      if (attempt >= maxRetries || delayMs === undefined) throw failure;
      await pause(delayMs, model, signal);
    } finally {
      link.release();
    }
  }
}

/** Delay before another attempt, in milliseconds; `undefined` if another attempt cannot help. */
function delayAfter(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof ModelError) || !error.retryable) return undefined;
  const delay = error.retryAfterMs ?? firstDelayMs * 2 ** attempt;
  return delay <= longestDelayMs ? delay : undefined;
}

async function pause(ms: number, model: RetriedModel, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    if (signal?.aborted === true) wake();
    else signal?.addEventListener("abort", wake, { once: true });
  });
  if (signal?.aborted !== true) return;
  throw new ModelAbortedError(`The call to ${model.modelId} was aborted.`, {
    provider: model.provider,
    model: model.modelId,
    cause: signal.reason,
  });
}
