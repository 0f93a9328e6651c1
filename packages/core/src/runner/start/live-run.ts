import type { Logger } from "../../contracts/ports/logger.ts";
import type { Signal } from "../../contracts/journal-event.ts";
import type { ResumableBuffer } from "../../events/resumable-buffer.ts";
import { createRunSink, type RunSink } from "../../events/run-sink.ts";
import type { DrivenRun } from "../driven-run.ts";
import { createRunControl, type RunControl } from "../limits/run-control.ts";

/** A run that this process drives, from the moment someone asked for it. */
export interface LiveRun {
  /** Changes once, when an idempotency key finds an earlier run. */
  runId: string;
  readonly sink: RunSink;
  readonly control: RunControl;
  /** For readers that come back; only of `resumable` runs. */
  buffer: ResumableBuffer | undefined;
  attach(run: DrivenRun): void;
  detach(): void;
  /** Journals a message for the run; one that comes before its journal is open waits. */
  signal(signal: Signal): void;
}

/** Makes a live run before anything asynchronous has happened, so that its events can be watched from the first. */
export function createLiveRun(runId: string, logger: Logger): LiveRun {
  let run: DrivenRun | undefined;
  let early: Signal[] = [];
  const take = (signal: Signal): void => {
    if (run === undefined || run.journal.state.start === undefined) early.push(signal);
    else run.journal.record({ type: "signal.taken", signal });
  };
  return {
    runId,
    sink: createRunSink(logger),
    control: createRunControl(),
    buffer: undefined,
    attach(attached: DrivenRun): void {
      run = attached;
      const forget = attached.journal.observe((event) => {
        if (event.type !== "run.start" && event.type !== "run.resumed") return;
        forget();
        const waiting = early;
        early = [];
        for (const signal of waiting) take(signal);
      });
    },
    detach(): void {
      run = undefined;
    },
    signal: take,
  };
}
