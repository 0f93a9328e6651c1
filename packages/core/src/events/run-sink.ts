import type { RunEvent, RunEventType } from "../contracts/run-event.ts";
import type { Logger } from "../contracts/ports/logger.ts";
import { deltaTypes } from "./event-table.ts";

/** One way to watch a run: says what it takes, and takes it synchronously. */
export interface Tap {
  /** For the report when it throws. */
  readonly name: string;
  wants(type: RunEventType): boolean;
  take(event: RunEvent): void;
  /** A promise while this reader is too far behind; the runner waits for it between model chunks only. */
  room?(): Promise<void> | undefined;
}

/** Where a run's events go. Without taps it wants nothing, and no event object is made. */
export interface RunSink {
  wants(type: RunEventType): boolean;
  /** Whether anybody takes what only a streamed model call makes. */
  wantsDeltas(): boolean;
  show(event: RunEvent): void;
  add(tap: Tap): () => void;
  /** A promise while some reader is too far behind. */
  room(): Promise<void> | undefined;
}

/**
 * Makes a sink. A tap that throws is reported once and goes on being shown events; the run never sees the error.
 *
 * @param logger - Where a throwing tap is reported.
 */
export function createRunSink(logger: Pick<Logger, "error">): RunSink {
  return new Sink(logger);
}

/** A class, because there is one for every run: closures would be made for each, methods are shared. */
class Sink implements RunSink {
  readonly #logger: Pick<Logger, "error">;
  #taps: readonly Tap[] = [];
  #reported: readonly Tap[] = [];

  constructor(logger: Pick<Logger, "error">) {
    this.#logger = logger;
  }

  wants(type: RunEventType): boolean {
    for (const tap of this.#taps) if (tap.wants(type)) return true;
    return false;
  }

  wantsDeltas(): boolean {
    if (this.#taps.length === 0) return false;
    for (const type of deltaTypes) if (this.wants(type)) return true;
    return false;
  }

  show(event: RunEvent): void {
    for (const tap of this.#taps) {
      if (!tap.wants(event.type)) continue;
      try {
        tap.take(event);
      } catch (error) {
        if (this.#reported.includes(tap)) continue;
        this.#reported = [...this.#reported, tap];
        this.#logger.error(
          `${tap.name} threw on "${event.type}"; the run is not affected. This is said once a run.`,
          error,
        );
      }
    }
  }

  add(tap: Tap): () => void {
    this.#taps = this.#taps.concat(tap);
    return () => {
      this.#taps = this.#taps.filter((other) => other !== tap);
    };
  }

  room(): Promise<void> | undefined {
    for (const tap of this.#taps) {
      const wait = tap.room?.();
      if (wait !== undefined) return wait;
    }
    return undefined;
  }
}
