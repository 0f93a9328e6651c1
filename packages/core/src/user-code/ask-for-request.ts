import { askUserCode } from "./call-user-code.ts";

/** Longest time that a request waits for a function of the developer, in milliseconds. */
const longestWaitMs = 30_000;

const clock = {
  setTimer(callback: () => void, delayMs: number): () => void {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * Calls a function of the developer that a request waits for, such as `authorize`. The wait ends after 30 seconds, or when
 * the caller disconnects, also before the call: a function that never settles holds no request.
 *
 * @param name - The option that contains the function, for the error.
 * @param signal - Signal of the request; without one, only the time limit applies.
 * @param call - Calls the function.
 * @param timeoutMs - Longest wait in milliseconds; `Infinity` for a function that asks a person. Default 30,000.
 * @throws the error of the function; BailiwickError `HOOK_TIMEOUT`; the signal's reason.
 * @example
 * ```ts
 * import { askForRequest } from "@bailiwick/core/extension";
 *
 * export const callerOf = (request: Request, authorize: (request: Request) => Promise<string>): Promise<string> =>
 *   askForRequest("authorize", request.signal, () => authorize(request));
 * ```
 */
export async function askForRequest<T>(
  name: string,
  signal: AbortSignal | undefined,
  call: () => T | PromiseLike<T>,
  timeoutMs: number = longestWaitMs,
): Promise<T> {
  const onStop = (stop: () => void): (() => void) => {
    if (signal?.aborted === true) queueMicrotask(stop);
    signal?.addEventListener("abort", stop, { once: true });
    return () => signal?.removeEventListener("abort", stop);
  };
  const limits = { name, timeoutMs: Number.isFinite(timeoutMs) ? timeoutMs : undefined, clock, control: { onStop } };
  const answer = await askUserCode(call, limits);
  if (answer.ok) return answer.value;
  throw answer.stopped ? signal?.reason : answer.error;
}
