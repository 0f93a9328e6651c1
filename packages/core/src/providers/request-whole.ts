import type { ModelRequest } from "../contracts/model-provider.ts";
import { linkSignal } from "./link-signal.ts";
import type { FailureMoment } from "./model-failure.ts";

/** Parts of an adapter's request for an answer that is not streamed. */
export interface WholeRequest<T> {
  /** Sends the request and reads the answer; the controller cancels it. */
  readonly ask: (controller: AbortController) => Promise<T>;
  /** The typed error for a value that {@link WholeRequest.ask} threw. */
  readonly failure: (error: unknown, moment: FailureMoment) => Error;
  /** The key that is used if the request has none, so that it can be removed from messages. */
  readonly apiKey?: string | undefined;
}

/**
 * Requests a whole answer with its own controller: the caller's signal cancels it, and keeps no listener.
 *
 * @param request - The caller's signal, and its key.
 * @param whole - The request.
 */
export async function requestWhole<T>(
  request: Pick<ModelRequest, "signal" | "apiKey">,
  whole: WholeRequest<T>,
): Promise<T> {
  const link = linkSignal(request.signal);
  try {
    return await whole.ask(link.controller);
  } catch (error) {
    throw whole.failure(error, {
      apiKey: request.apiKey ?? whole.apiKey,
      aborted: request.signal?.aborted === true,
      reason: request.signal?.reason,
    });
  } finally {
    link.release();
  }
}
