import type { RunEvent, RunEventType } from "../contracts/run-event.ts";
import { frozenCopy } from "../user-code/copies.ts";
import { tellUserCode } from "../user-code/call-user-code.ts";
import { deltaTypes } from "./event-table.ts";

/** One observer of a run: names the events that it takes, and takes them synchronously. */
export interface Tap {
  /** The name in the report of a failure. */
  readonly name: string;
  wants(type: RunEventType): boolean;
  /** Takes a frozen event. Parts that call several handlers report each failure by the handler's name. */
  take(event: RunEvent, failed: ReportFailure): unknown;
  /** A promise while this reader is too far behind; the runner waits for it between model chunks only. */
  room?(): Promise<void> | undefined;
}

/** Reports that a watcher failed, once per name. `logged`: its owner has logged it. */
export type ReportFailure = (name: string, error: Error, logged?: boolean) => void;

/** The sink of a run's events. Without taps it wants no events, and no event object is made. */
export interface RunSink {
  wants(type: RunEventType): boolean;
  /** True if a listener needs events that only a streamed model call makes. */
  wantsDeltas(): boolean;
  show(event: RunEvent): void;
  add(tap: Tap): () => void;
  /** A promise while some reader is too far behind. */
  room(): Promise<void> | undefined;
}

/**
 * Makes a sink. Taps get frozen copies of events, so that no observer can change the run. The error of a tap is logged and
 * does not reach the run; the tap still gets later events.
 *
 * @param report - Reports a tap that throws or rejects.
 */
export function createRunSink(report: ReportFailure): RunSink {
  return new Sink(report);
}

/** A class, because there is one for every run: closures would be made for each, methods are shared. */
class Sink implements RunSink {
  readonly #report: ReportFailure;
  #taps: readonly Tap[] = [];

  constructor(report: ReportFailure) {
    this.#report = report;
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
      const report = this.#report;
      tellUserCode(
        () => tap.take(shownEvent(event), report),
        (error) => report(tap.name, error),
      );
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

/** An event as observers get it. Vendors' own objects are passed on unchanged: the run does not read them again. */
function shownEvent(event: RunEvent): RunEvent {
  switch (event.type) {
    case "raw":
      return Object.freeze({ ...event });
    case "finish": {
      const { raw, ...response } = event.response;
      const copied = frozenCopy({ ...event, response });
      return Object.freeze({ ...copied, response: Object.freeze({ ...copied.response, raw }) });
    }
    case "agent.event":
      // The inner run's sink has frozen it.
      return Object.freeze({ ...event, agentPath: Object.freeze([...event.agentPath]) });
    default:
      return frozenCopy(event);
  }
}
