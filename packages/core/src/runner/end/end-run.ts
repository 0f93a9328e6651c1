import { isWaiting } from "../../contracts/stop-reason.ts";
import type { JournalEventOf } from "../../contracts/journal-event.ts";
import type { Label } from "../../contracts/label.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import { emitOf, type ReportFailure } from "../../events/event-bus.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { givesBack } from "../../errors/host-errors.ts";
import { RunError } from "../../errors/run-errors.ts";
import { endInside, leavesRuns } from "./end-inside.ts";
import { answerText } from "../../history/answer-text.ts";
import { changedState } from "../../journal/fold-session-state.ts";
import type { RunState } from "../../journal/run-state.ts";
import { joinSession, joining } from "./join-session.ts";
import { noteWaiting } from "./waiting-in-memory.ts";
import { takeSignals } from "../lease-keeper.ts";
import { toError } from "../../user-code/call-user-code.ts";
import { errorText, toErrorData } from "../../errors/error-text.ts";
import { reportUnawaited, tellCallback } from "../hooks/hook-failures.ts";
import { callerOf, ownCallback, type Caller } from "../caller/caller.ts";
import type { Ending } from "../limits/run-control.ts";
import { observedOutput, runOutput } from "../answer/run-output.ts";
import { releaseOf } from "../start/load-run.ts";
import { rejects, statusOf } from "../stop-reason.ts";
import { noteInside } from "../tool-call/nested-run.ts";
import { settleUnrunCalls } from "../tool-call/unrun-calls.ts";
import { labelNote } from "../state/session-state.ts";
import type { Run } from "../run.ts";

/** Outcome of a run for its caller. */
export type Outcome =
  | { readonly output: RunOutput; readonly error?: undefined }
  | { readonly output: RunOutput; readonly error: Error };

/**
 * Ends a run in this process: settles open calls, calls the observing hooks, journals the end, writes the session and
 * releases the lease.
 *
 * @returns the output, with the caller's error if the ending rejects.
 */
export async function endRun(run: Run, loopEnding: Ending): Promise<Outcome> {
  run.stepTimer?.cancel();
  const ending = await withState(run, await withHooks(run, notWaiting(run, loopEnding)));
  const status = statusOf[ending.reason];
  const suspended = isWaiting(status);
  // A message that another process has sent joins the session with the rest; a completed run is driven once more for it.
  if (!suspended && status !== "completed" && !run.journal.isLost) await takeSignals(run);
  if (!suspended && ending.reason !== "completed") {
    settleUnrunCalls(run, "aborted", "Not run: the run ended first.");
  }
  run.answer.drop();
  const interruptions = ending.interruptions ?? [];
  if (suspended) {
    run.journal.record({
      type: "run.suspended",
      reason: ending.reason as JournalEventOf<"run.suspended">["reason"],
      interruptionIds: interruptions.map(({ id }) => id),
      wakeAt: ending.wakeAt,
    });
    if (run.agent.inMemory && run.options.parent === undefined) await noteWaiting(run);
  } else run.agent.waiting.delete(run.runId);
  const text = textOf(run, ending);
  noteRead(run);
  // Read once, so that the output and the journal agree.
  const durationMs = run.activeMs();
  run.journal.record({
    type: "run.end",
    status,
    stopReason: ending.reason,
    text,
    structured: ending.structured,
    followupSuggestions: ending.followupSuggestions,
    error: ending.error === undefined ? undefined : toErrorData(ending.error),
    durationMs,
  });
  const lost = await writeEnd(run);
  const last: Ending = lost === undefined ? ending : { ...ending, reason: "failed", error: lost };
  const output = outputOf(run, last, text, durationMs);
  // Another process writes the end: observers hear of it there.
  return givesBack(lost) ? { output, error: lost } : settle(run, last, output);
}

/** A run that got a request to stop after it decided to wait does not wait. */
function notWaiting({ journal }: Run, ending: Ending): Ending {
  const stops = isWaiting(statusOf[ending.reason]) && journal.state.cancelRequested !== undefined;
  return stops ? { reason: "cancelled" } : ending;
}

async function withHooks(run: Run, ending: Ending): Promise<Ending> {
  const status = statusOf[ending.reason];
  const { onError, onEnd } = run.points;
  try {
    if (rejects(ending.reason)) {
      const error = onError.length === 0 ? undefined : shownError(run, ending.error ?? new Error(ending.reason));
      for (const part of onError) if (error !== undefined) await part.onError(run, error);
      return ending;
    }
    const output = (): RunOutput => observedOutput(outputOf(run, ending, textOf(run, ending), run.activeMs()));
    for (const part of onEnd) await part.onEnd(run, status, output);
    return ending;
  } catch (thrown) {
    // Fatal only with `hooksAreFatal`.
    return { ...ending, reason: "failed", error: toError(thrown) };
  }
}

/** Saves the session's state before the end is journaled, so that the end's output names its conflicts. */
async function withState(run: Run, ending: Ending): Promise<Ending> {
  if (isWaiting(statusOf[ending.reason])) return ending;
  // Input that a guardrail blocked leaves nothing in its session.
  if (ending.reason === "guardrail_blocked" && run.journal.state.lastAnswer === undefined) return ending;
  try {
    await run.sessionState.save();
    return ending;
  } catch (thrown) {
    return { ...ending, reason: "failed", error: toError(thrown) };
  }
}

function textOf(run: Run, ending: Ending): string {
  return ending.text ?? answerText(run.journal.state.lastAnswer);
}

function outputOf(run: Run, ending: Ending, text: string, durationMs: number): RunOutput {
  const status = statusOf[ending.reason];
  const output = runOutput(run.journal.state, {
    status,
    stopReason: ending.reason,
    text,
    structured: ending.structured,
    durationMs,
    interruptions: ending.interruptions ?? [],
    followupSuggestions: ending.followupSuggestions,
    warnings: run.warnings,
  });
  return handBack(output, run.journal.state, run.flow?.controlLabel(), callerOf(run.options.parent));
}

/**
 * Adds to an output what its caller gets besides it, live and from the journal: the label of all that the run has read,
 * the remembered decisions of the run, and its changes to the session state that was handed to it.
 */
export function handBack(
  output: RunOutput,
  state: RunState,
  label: Label | undefined,
  caller: Caller | undefined,
): RunOutput {
  if (label !== undefined) caller?.noteRead(label);
  const decided = state.remembered.slice(state.start?.remembered?.length ?? 0);
  return noteInside(output, label, decided, caller?.handedState() && changedState(state));
}

/** Writes the end with the session; returns the error if that failed. */
async function writeEnd(run: Run): Promise<Error | undefined> {
  try {
    const { session: kept } = run.settings;
    const { state } = run.journal;
    const session = kept === undefined ? undefined : joining(run.agent, run.context, state);
    const isElsewhere = kept !== undefined && session !== undefined && !run.sessionInStore;
    const leaves = leavesRuns(state);
    const next = releaseOf(state);
    // The lease is released last: if the process dies before, recovery finds the run and repeats the rest.
    if (isElsewhere || leaves) await run.journal.commit();
    if (isElsewhere) await joinSession(run.agent, kept, session);
    if (leaves) await endInside(run.agent, run.journal.lease);
    await run.journal.release(next, isElsewhere ? undefined : session);
    return undefined;
  } catch (thrown) {
    // The session or a run inside could not be written, but the journal can: the process that resumes the run repeats it.
    if (run.journal.failure === undefined) await run.journal.release({ state: "queued" }).catch(() => undefined);
    return toError(thrown);
  }
}

function settle(run: Run, ending: Ending, output: RunOutput): Outcome {
  const status = statusOf[ending.reason];
  const { name } = run.agent;
  const origin = { runId: run.runId, agentName: name, tenantId: run.context.tenantId };
  const bus = run.context.eventBus;
  const failed: ReportFailure = (hook, error, isLogged) => reportUnawaited(run, hook, error, isLogged);
  if (!rejects(ending.reason)) {
    if (!isWaiting(status)) {
      // The frozen copy of the whole output is only made for an observer, and once.
      let made: RunOutput | undefined;
      const observed = (): RunOutput => (made ??= observedOutput(output));
      if (bus.hasListeners("run.complete"))
        tellCallback(run, "eventBus", () => emitOf(bus, "run.complete", { ...origin, output: observed() }, failed));
      tellCallback(run, "onComplete", () => ownCallback(run.options, "onComplete")?.(name, observed()));
    }
    return { output };
  }
  const error = carrying(
    ending.error ?? new RunError("RUN_FAILED", `Run "${run.runId}" ended as ${ending.reason}.`),
    run.runId,
    output,
  );
  const shown = shownError(run, error);
  if (bus.hasListeners("run.error"))
    tellCallback(run, "eventBus", () => emitOf(bus, "run.error", { ...origin, error: shown }, failed));
  tellCallback(run, "onError", () => ownCallback(run.options, "onError")?.(name, shown));
  return { output, error };
}

/** An error for observers, without known secrets. The run's caller gets the original error. */
function shownError(run: Run, error: Error): Error {
  return observedError(run.agent.secrets?.scrub(error) ?? error);
}

/** An error that observers may change: the caller's own stays unchanged. */
function observedError(error: Error): Error {
  const { output } = error as { readonly output?: RunOutput | undefined };
  const copied = new Error(error.message);
  Object.setPrototypeOf(copied, Object.getPrototypeOf(error) as object);
  Object.defineProperties(copied, Object.getOwnPropertyDescriptors(error));
  if (Object.hasOwn(error, "output") && output !== undefined)
    Object.defineProperty(copied, "output", { value: observedOutput(output), enumerable: false });
  return copied;
}

/** Adds the run's id and its partial output to any error. */
function carrying(error: Error, runId: string, output: RunOutput): Error {
  const carrier = BailiwickError.isInstance(error)
    ? error
    : new RunError("RUN_FAILED", `Run "${runId}" failed: ${errorText(error)}`, { cause: error, runId });
  carrier.runId ??= runId;
  if (!("output" in carrier) || carrier.output === undefined) {
    Object.defineProperty(carrier, "output", { value: output, enumerable: false, configurable: true, writable: true });
  }
  return carrier;
}

/**
 * Adds the label of the model's input to the session's state: later runs of the session start with it, even if
 * they see other messages. Labels are added and never replaced, so that two runs at once lose none.
 */
function noteRead(run: Run): void {
  if (run.settings.session === undefined) return;
  const { journal, agent } = run;
  const note = labelNote(agent.hasher, run.flow?.controlLabel());
  if (note === undefined || Object.hasOwn(journal.state.sessionState, note.key)) return;
  journal.record({ type: "state.changed", stateKey: note.key, value: note.value });
}
