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
 */
export interface RunControl {
  /** Created on first use. */
  readonly signal: AbortSignal;
  /** The first reason to stop; later ones are ignored. */
  readonly ending: Ending | undefined;
  /** The run is handed back to the queue between two steps. */
  givesBack: boolean;
  /** The consumer of the stream left while the run only waited for a person: no further work starts. */
  readonly left: boolean;
  stop(ending: Ending): void;
  /** Records that the consumer left: inline approvers are no longer awaited, and the run is suspended. */
  leave(): void;
  /** Calls back when the consumer leaves, immediately if it has; returns a function that unsubscribes. */
  onLeave(callback: () => void): () => void;
  /** Calls back when the run is stopped, immediately if it is; returns a function that unsubscribes. */
  onStop(callback: () => void): () => void;
}

/**
 * Makes a run's control. The signal has one listener of ours for all waiting parts, and none when they are done, so
 * listeners do not accumulate on long-lived signals of callers.
 */
export function createRunControl(): RunControl {
  return new Control();
}

/** A class, because there is one per run: methods are shared, and parts are created on first use. */
class Control implements RunControl {
  ending: Ending | undefined = undefined;
  givesBack: boolean = false;
  #controller: AbortController | undefined;
  #callbacks: Set<() => void> | undefined;
  left: boolean = false;
  #leaving: Set<() => void> | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.ending !== undefined) this.#controller.abort(reasonOf(this.ending));
    }
    return this.#controller.signal;
  }

  stop(ending: Ending): void {
    if (this.ending !== undefined) return;
    this.ending = ending;
    this.#controller?.abort(reasonOf(ending));
    const waiting = [...(this.#callbacks ?? [])];
    this.#callbacks = undefined;
    for (const callback of waiting) callback();
  }

  leave(): void {
    if (this.left) return;
    this.left = true;
    const waiting = [...(this.#leaving ?? [])];
    this.#leaving = undefined;
    for (const callback of waiting) callback();
  }

  onLeave(callback: () => void): () => void {
    if (this.left) {
      callback();
      return () => undefined;
    }
    const callbacks = (this.#leaving ??= new Set());
    callbacks.add(callback);
    return () => void callbacks.delete(callback);
  }

  onStop(callback: () => void): () => void {
    if (this.ending !== undefined) {
      callback();
      return () => undefined;
    }
    const callbacks = (this.#callbacks ??= new Set());
    callbacks.add(callback);
    return () => void callbacks.delete(callback);
  }
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
