import type { AssistantMessage } from "../contracts/message.ts";
import type { RunState } from "../journal/run-state.ts";
import { isTooLong } from "./model/model-error.ts";
import { RunError, RunHandedOverError } from "../errors/run-errors.ts";
import { expectsResults } from "../history/history-compiler.ts";
import { finishAnswer } from "./turn/finish-answer.ts";
import { finishTurn } from "./turn/finish-turn.ts";
import { toError } from "../user-code/call-user-code.ts";
import { callModel } from "./model/model-call.ts";
import { loopShare } from "./limits/loop-share.ts";
import { RunStoppedError, type Ending } from "./limits/run-control.ts";
import { insertPending } from "./inbox/signals.ts";
import type { Run, Step, StepResult } from "./run.ts";

/** Default maximum number of model calls. */
const defaultMaxTurns = 20;

/**
 * The loop. A run is `turn*`: ask the model, run the calls of its answer, append the results, decide if it stops; an
 * answer without calls ends it. A resumed run continues at the point that its journal shows.
 *
 * @returns the outcome of the run; it never throws.
 */
export async function runLoop(run: Run): Promise<Ending> {
  try {
    const { seq } = run.journal.state;
    let step = dueStep(run.journal.state);
    for (;;) {
      await loopShare("continue");
      if (run.control.ending !== undefined) return run.control.ending;
      // A claimed run takes at least one step here: otherwise a short hand-over time would pass it on forever.
      if (run.control.givesBack && run.journal.state.seq > seq)
        return { reason: "failed", error: new RunHandedOverError(run.runId) };
      const result = await take(run, step);
      if ("ending" in result) return run.control.ending ?? result.ending;
      // A decision arrived while the consumer left: no one would read the result of the work that it allows.
      if (run.control.left) return { reason: "cancelled" };
      step = result.next;
    }
  } catch (thrown) {
    return endingOf(run, thrown);
  }
}

function take(run: Run, step: Step): StepResult | Promise<StepResult> {
  switch (step) {
    case "ask":
      return ask(run);
    case "tools":
      return expiredEnding(run) ?? finishTurn(run);
    case "answer":
      return finishAnswer(run);
  }
}

async function ask(run: Run): Promise<StepResult> {
  const { state } = run.journal;
  insertPending(run, false);
  const limit = reachedLimit(run);
  if (limit !== undefined) return { ending: limit };
  const turn = state.openModelCall?.turn ?? state.turn + 1;
  const turnMs = run.settings.timeouts?.turnMs;
  run.stepTimer?.cancel();
  run.stepTimer = turnMs === undefined ? undefined : run.timers.after(turnMs, () => run.stopSlowTurn(turnMs));
  await run.refreshTools?.();
  await callModel(run, turn);
  return { next: dueStep(state) };
}

/** The ending of a run that has reached a limit; checked before each model call. */
function reachedLimit(run: Run): Ending | undefined {
  const { state } = run.journal;
  if (state.cancelRequested !== undefined) return { reason: "cancelled" };
  const late = expiredEnding(run);
  if (late !== undefined) return late.ending;
  if (state.openModelCall === undefined && state.turn >= (run.settings.maxTurns ?? defaultMaxTurns))
    return { reason: "max_turns" };
  const budgetMs = run.settings.budget?.durationMs;
  if (budgetMs !== undefined && run.activeMs() >= budgetMs) return { reason: "budget_exhausted" };
  return undefined;
}

/** The ending of a run that passed its deadline: it neither asks a model nor starts calls. */
function expiredEnding({ deadlineAt, clock, runId }: Run): { readonly ending: Ending } | undefined {
  if (deadlineAt === undefined || clock.now() < deadlineAt) return undefined;
  return { ending: { reason: "failed", error: expired(runId, deadlineAt) } };
}

/** The error of a run that passed its `deadlineAt`. */
export function expired(runId: string, deadlineAt: number): RunError {
  return new RunError(
    "RUN_EXPIRED",
    `Run "${runId}" passed its deadline (deadlineAt ${deadlineAt}) before it was done.`,
    { runId },
  );
}

/**
 * The next step according to the journal: the last answer's calls if only their results follow it, else a model call.
 */
export function dueStep(state: RunState): Step {
  const last = state.messages.findLastIndex(({ role }) => role !== "tool");
  const message = state.messages[last];
  if (state.lastAnswer === undefined || message?.role !== "assistant" || message.partial === true) return "ask";
  if (state.openModelCall !== undefined) return "ask";
  return hasCalls(message) ? "tools" : "answer";
}

/** True if an answer has calls that need results: of our tools, or of a vendor's tool that waits for a person. */
function hasCalls(answer: AssistantMessage | undefined): boolean {
  return answer !== undefined && expectsResults(answer);
}

function endingOf(run: Run, thrown: unknown): Ending {
  if (thrown instanceof RunStoppedError) return run.control.ending ?? thrown.ending;
  if (run.control.ending !== undefined) return run.control.ending;
  const error = toError(thrown);
  return { reason: isTooLong(error) ? "context_overflow" : "failed", error };
}
