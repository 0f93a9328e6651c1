import type { Interruption } from "../../contracts/interruption.ts";
import type { StopReason } from "../../contracts/stop-reason.ts";

/** Reason and result of a run's end, before it is journaled. */
export interface Ending {
  readonly reason: StopReason;
  /** Required for reasons that reject. */
  readonly error?: Error | undefined;
  /** The reason that signals of models and tools carry when no error ends the run. */
  readonly abortReason?: unknown;
  /** The answer's text, if it is not the last message's. */
  readonly text?: string | undefined;
  readonly structured?: unknown;
  readonly followupSuggestions?: readonly string[] | undefined;
  /** The interruptions of a suspended run. */
  readonly interruptions?: readonly Interruption[] | undefined;
  /** The end of the sleep of a suspended run, in milliseconds since the epoch. */
  readonly wakeAt?: number | undefined;
}

/**
 * Stops a run from outside its loop: cancel, time-outs, a lost lease, a guardrail that runs in parallel with the model.
 * The signal has one listener of ours for all waiting parts, and none when they are done, so listeners do not accumulate
 * on long-lived signals of callers.
 */
export class RunControl {
  /** The run is handed back to the queue between two steps. */
  givesBack: boolean = false;
  /** The first reason to stop; later ones are ignored. `stop` and `interrupt` set it. */
  ending: Ending | undefined = undefined;
  /** The failure of the host that interrupted the run, until `goOn`: the run has not ended. */
  interruptedBy: Error | undefined = undefined;
  /** The consumer of the stream left while the run only waited for a person: no further work starts. */
  left: boolean = false;
  #controller: AbortController | undefined;
  #stopping: Set<() => void> | undefined;
  #leaving: Set<() => void> | undefined;

  /** Created on first use. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.ending !== undefined) this.#controller.abort(reasonOf(this.ending));
    }
    return this.#controller.signal;
  }

  stop(ending: Ending): void {
    if (this.ending !== undefined && !this.isInterrupted) return;
    this.#end(ending);
  }

  /**
   * Stops the work of a run whose host fails. A reason to stop that comes later takes its place.
   *
   * @param journal - Closed first: failures of calls that are stopped here are not recorded, since their outcomes are
   *   unknown.
   */
  interrupt(error: Error, journal: { close(): void }): void {
    if (this.ending !== undefined) return;
    journal.close();
    this.interruptedBy = error;
    this.#end({ reason: "failed", error });
  }

  /** True while the failure of the host is the only reason to stop. */
  get isInterrupted(): boolean {
    return this.interruptedBy !== undefined && this.ending?.error === this.interruptedBy;
  }

  /** Lets an interrupted run continue, with a new signal. */
  goOn(): void {
    if (this.isInterrupted) {
      this.ending = undefined;
      this.#controller = undefined;
    }
    this.interruptedBy = undefined;
  }

  #end(ending: Ending): void {
    this.ending = ending;
    this.#controller?.abort(reasonOf(ending));
    const waiting = Array.from(this.#stopping ?? []);
    this.#stopping = undefined;
    for (const callback of waiting) callback();
  }

  /** Records that the consumer left: inline approvers are no longer awaited, and the run is suspended. */
  leave(): void {
    if (this.left) return;
    this.left = true;
    const waiting = Array.from(this.#leaving ?? []);
    this.#leaving = undefined;
    for (const callback of waiting) callback();
  }

  /** Calls back when the consumer leaves, immediately if it has; returns a function that unsubscribes. */
  onLeave(callback: () => void): () => void {
    return subscribed(this.left, (this.#leaving ??= new Set()), callback);
  }

  /** Calls back when the run is stopped, immediately if it is; returns a function that unsubscribes. */
  onStop(callback: () => void): () => void {
    return subscribed(this.ending !== undefined, (this.#stopping ??= new Set()), callback);
  }

  /** Calls back at the next stop, also if the run is interrupted; returns a function that unsubscribes. */
  onceStopped(callback: () => void): () => void {
    return subscribed(false, (this.#stopping ??= new Set()), callback);
  }
}

function subscribed(isPast: boolean, callbacks: Set<() => void>, callback: () => void): () => void {
  if (isPast) callback();
  else callbacks.add(callback);
  return () => void callbacks.delete(callback);
}

/** The end of a cancelled run; signals of models and tools carry the reason of the cancel. */
export function cancelled(words: string | undefined): Ending {
  const message = `The run was cancelled${words === undefined || words === "cancelled" ? "" : `: ${words}`}.`;
  return { reason: "cancelled", abortReason: new DOMException(message, "AbortError") };
}

function reasonOf({ error, abortReason }: Ending): unknown {
  return error ?? abortReason ?? new DOMException("The run was cancelled.", "AbortError");
}

/** Thrown inside the runner to leave the loop with an ending that was decided deep in it. */
export class RunStoppedError extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(`The run stops: ${ending.reason}.`);
    this.name = "RunStoppedError";
    this.ending = ending;
  }
}
