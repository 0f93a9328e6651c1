/** A controller for one request that follows the caller's signal. */
export interface LinkedSignal {
  /** Cancels this request only. */
  readonly controller: AbortController;
  /** Aborts when the caller's signal or the controller does. */
  readonly signal: AbortSignal;
  /** Stops following: removes the listener from the caller's signal. */
  release(): void;
}

/**
 * Makes a controller for one request. Vendor SDKs never see the caller's signal, so they cannot leave listeners on it.
 *
 * @param parent - The caller's signal.
 */
export function linkSignal(parent: AbortSignal | undefined): LinkedSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(parent?.reason);
  if (parent?.aborted === true) abort();
  else parent?.addEventListener("abort", abort, { once: true });
  return {
    controller,
    signal: controller.signal,
    release: () => parent?.removeEventListener("abort", abort),
  };
}
