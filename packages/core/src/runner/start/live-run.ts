import type { Logger } from "../../contracts/ports/logger.ts";
import { isWaiting } from "../../contracts/stop-reason.ts";
import type { Signal } from "../../contracts/signal.ts";
import type { ResumableBuffer } from "../../events/resumable-buffer.ts";
import { RunSink } from "../../events/event-bus.ts";
import { reportUnawaited } from "../hooks/hook-failures.ts";
import { cancelled, RunControl } from "../limits/run-control.ts";
import type { CallState, RunState } from "../../journal/run-state.ts";
import type { LiveRun, Run } from "../run.ts";

const none: readonly Signal[] = [];

/** Makes a live run before any asynchronous step, so that its events can be observed from the first. */
export function createLiveRun(runId: string, logger: Logger): LiveRun {
  return new Live(runId, logger);
}

/** A class, because there is one for every run: instances share their methods, closures would not. */
class Live implements LiveRun {
  runId: string;
  buffer: ResumableBuffer | undefined = undefined;
  over: boolean = false;
  readonly sink: RunSink;
  readonly control: RunControl = new RunControl();
  #run: Run | undefined;
  #waiting: readonly Signal[] = none;
  #closed = false;
  /** The last record that the run had when this process began to drive it. */
  #attachedAt = 0;

  constructor(runId: string, logger: Logger) {
    this.runId = runId;
    this.sink = new RunSink((name, error, isLogged) => {
      const run = this.#run;
      if (run !== undefined) reportUnawaited(run, name, error, isLogged);
      else if (isLogged !== true)
        logger.warn(`"${name}" of run ${this.runId} failed after the run: ${error.message}`, { error });
    });
  }

  attach(run: Run): void {
    this.#run = run;
    this.#attachedAt = run.journal.state.seq;
  }

  get closed(): boolean {
    return this.#closed || this.#hasEnded();
  }

  get keeps(): "run" | "session" {
    const isStopping = this.control.ending !== undefined && this.#run?.settings.session !== undefined;
    return isStopping ? "session" : "run";
  }

  #hasEnded(): boolean {
    const end = this.#run?.journal.state.end;
    return end !== undefined && end.seq > this.#attachedAt && !isWaiting(end.status);
  }

  closeJournal(): void {
    this.#run?.journal.close();
  }

  waits(): boolean {
    const run = this.#run;
    return run !== undefined && waitsForPerson(run.journal.state, (toolCallId) => run.waitsInside(toolCallId));
  }

  leave(): void {
    if (!this.waits()) return this.control.stop(cancelled("the consumer of its stream left"));
    const inside = [...(this.#run?.inside.values() ?? [])].flatMap((runs) => [...runs]);
    this.control.leave();
    for (const run of inside) run.leave();
  }

  takeSignals(): void {
    for (const signal of this.#takeWaiting()) this.signal(signal);
  }

  detach(): void {
    this.#closed ||= this.#hasEnded();
    this.#run = undefined;
  }

  signal(signal: Signal): void {
    const journal = this.#run?.journal;
    // A record after the end of the run would never be read.
    if (journal?.state.start === undefined || journal.state.end !== undefined)
      this.#waiting = [...this.#waiting, signal];
    // It reached the journal through the store's inbox.
    else if (journal.state.takenSignals.has(signal.id)) return;
    else journal.record({ type: "signal.taken", signal });
  }

  close(): readonly Signal[] {
    this.#closed = true;
    return this.#takeWaiting();
  }

  #takeWaiting(): readonly Signal[] {
    const waiting = this.#waiting;
    this.#waiting = none;
    return waiting;
  }
}

/**
 * Returns true if a question of the current turn is open, and the journal has no running model call or writer. A
 * running reader is not in the journal: the batch of calls checks for it.
 *
 * @param waitsInside - Tells if a run inside a call is driven here and only waits for a person.
 */
function waitsForPerson(
  { openModelCall, turnCalls, calls }: RunState,
  waitsInside: (toolCallId: string) => boolean,
): boolean {
  if (openModelCall !== undefined) return false;
  const open = turnCalls.flatMap((key) => calls.get(key) ?? []).filter(({ outcome, result }) => !outcome && !result);
  const asks = (call: CallState): boolean => isAsked(call) || waitsInside(call.toolCallId);
  return open.some(asks) && open.every((call) => call.intent === undefined || asks(call));
}

function isAsked({ approval, question, child }: CallState): boolean {
  if (question !== undefined) return true;
  if (approval !== undefined && approval.decision === undefined) return true;
  return child !== undefined && child.interruptions.length > 0 && child.decisions.length === 0;
}
