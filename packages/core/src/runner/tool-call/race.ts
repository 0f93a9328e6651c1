import type { Attempt } from "./attempt.ts";
import type { PipelineCall } from "./call.ts";
import type { Execution } from "./execution.ts";

/** What limits an attempt. */
export interface Limits {
  /** In milliseconds; `0` is unlimited. */
  readonly timeoutMs: number;
  /** Time to end after its signal is aborted, in milliseconds. */
  readonly graceMs: number;
}

/**
 * Waits for an attempt, its time-out, its pause, or the end of the batch. A result that arrives within the grace counts:
 * the effect it tells of did happen. One that arrives later is ignored.
 */
export function race(
  call: PipelineCall,
  pending: Promise<unknown>,
  execution: Execution,
  limits: Limits,
): Promise<Attempt> {
  const { run, batch } = call;
  return new Promise<Attempt>((resolve) => {
    let cancelTimer: (() => void) | undefined;
    let ended = false;
    const end = (attempt: Attempt): void => {
      if (ended) return;
      ended = true;
      cancelTimer?.();
      batch.onStop.delete(onStop);
      resolve(attempt);
    };
    let interrupted: "timeout" | "aborted" | undefined;
    const interrupt = (kind: "timeout" | "aborted", reason: unknown): void => {
      if (interrupted !== undefined) return;
      interrupted = kind;
      cancelTimer?.();
      cancelTimer = run.clock.setTimer(() => end({ kind }), limits.graceMs);
      execution.abort(reason);
    };
    const onStop = (): void => interrupt("aborted", run.context.signal.reason ?? new Error("The run was stopped."));
    pending.then(
      (value) => end({ kind: "returned", value }),
      (error: unknown) => end(interrupted === undefined ? { kind: "threw", error } : { kind: interrupted }),
    );
    if (limits.timeoutMs > 0) {
      cancelTimer = run.clock.setTimer(
        () => interrupt("timeout", new Error(`"${call.toolName}" did not finish within ${limits.timeoutMs} ms.`)),
        limits.timeoutMs,
      );
    }
    if (batch.stopped === undefined) batch.onStop.add(onStop);
    else onStop();
    // The promise of a tool that asks or sleeps never settles.
    execution.whenPaused(() => end({ kind: "returned", value: undefined }));
  });
}
