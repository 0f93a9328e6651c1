import type { Clock } from "@bailiwick/core";

/**
 * Limits the time of a call: a model that ignores its signal is not awaited.
 *
 * @param clock - Measures the time.
 * @param timeoutMs - Longest wait, in milliseconds.
 * @param signal - Cancels earlier.
 * @param work - The call.
 * @throws the signal's reason, or an error that states the time.
 */
export async function withinTime<T>(
  clock: Clock,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const cancel = clock.setTimer(() => late.abort(new Error(`it took longer than ${timeoutMs} ms`)), timeoutMs);
  const given = signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]);
  const stop = whenAborted(given);
  try {
    return await Promise.race([work(given), stop.aborted]);
  } finally {
    cancel();
    stop.forget();
  }
}

/** A promise that rejects when a signal is aborted, until `forget` is called. */
function whenAborted(signal: AbortSignal): { readonly aborted: Promise<never>; readonly forget: () => void } {
  const { promise, reject } = deferred();
  const fail = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
  if (signal.aborted) fail();
  else signal.addEventListener("abort", fail, { once: true });
  // A rejection that nothing awaits must not end the process.
  promise.catch(() => undefined);
  return { aborted: promise, forget: () => signal.removeEventListener("abort", fail) };
}

function deferred(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_, fail) => {
    reject = fail;
  });
  return { promise, reject };
}
