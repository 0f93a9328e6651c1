import type { FunctionToolResult, ToolUseBehavior, ToolUseVerdict } from "../../contracts/function-tool-result.ts";
import type { Interruption } from "../../contracts/interruption.ts";
import { textOfContent } from "../../tools/content-text.ts";
import { ownAnswer, ownCopy } from "../../user-code/copies.ts";
import { observedOutput } from "../answer/run-output.ts";
import { expected } from "../hooks/hook-failures.ts";
import { demand } from "../hooks/hooks-runner.ts";
import { interruption } from "../interruption.ts";
import { applySignalledDecisions } from "../inbox/apply-decisions.ts";
import { insertPending, releaseCompleted } from "../inbox/signals.ts";
import { statusOf } from "../stop-reason.ts";
import { takeSignals } from "../lease-keeper.ts";
import { RunStoppedError, type Ending } from "../limits/run-control.ts";
import { runToolBatch, type ToolBatchOutcome } from "./tool-batch.ts";
import { ModelResponseError } from "../../errors/model-errors.ts";
import { settleUnrunCalls } from "../tool-call/unrun-calls.ts";
import type { Run, StepResult } from "../run.ts";

/** Runs the calls of the last answer, or gives the reason against it, and decides if the run continues. */
export async function finishTurn(run: Run): Promise<StepResult> {
  run.answer.release();
  await awaitInputVerdict(run);
  const outcome = await runToolBatch(run);
  if (outcome.interruptions.length > 0 || outcome.wakeAt !== undefined) {
    // A decision that arrived during the turn is applied now, so that it does not wait for the next resume.
    await takeSignals(run);
    const { state } = run.journal;
    const { seq } = state;
    await applySignalledDecisions(run);
    if (state.seq > seq) return { next: "tools" };
    const early = await endedBeforeWaiting(run, outcome);
    return early === undefined ? { ending: suspension(outcome) } : afterTools(run, early);
  }
  if (run.control.ending !== undefined) return { ending: run.control.ending };
  const unfinished = endOfUnfinished(run);
  if (unfinished !== undefined) return unfinished;
  return afterTools(run, await stoppedByTools(run, outcome));
}

/** Ends the run if its tools or a part end it. A message that waits is answered first, as after an answer of the model. */
async function afterTools(run: Run, stopped: Ending | undefined): Promise<StepResult> {
  const isDone = stopped !== undefined && statusOf[stopped.reason] === "completed";
  const continues = stopped === undefined || (isDone && releaseCompleted(run.journal.state).state === "queued");
  const ending = continues ? await endedByPart(run, false) : stopped;
  if (ending !== undefined) return { ending };
  insertPending(run, isDone);
  return { next: "ask" };
}

/**
 * Calls of an interrupted answer were not run, because their arguments may be incomplete. The answer may be tried
 * again.
 */
function endOfUnfinished(run: Run): StepResult | undefined {
  switch (run.journal.state.lastAnswer?.finishReason) {
    case "length":
      return { next: "ask" };
    case "content_filter":
      return { ending: { reason: "refused" } };
    case "error":
      return { ending: { reason: "failed", error: failedAnswer(run) } };
    default:
      return undefined;
  }
}

/**
 * Calls a function of `toolUseBehavior` before the run waits for a person. If it ends the run, the open calls are
 * rejected. A person always decides about an effect whose outcome is unknown.
 */
async function endedBeforeWaiting(run: Run, outcome: ToolBatchOutcome): Promise<Ending | undefined> {
  const { toolUseBehavior } = run.settings;
  const { interruptions, functionResults } = outcome;
  if (typeof toolUseBehavior !== "function" || run.control.ending !== undefined) return undefined;
  if (interruptions.length === 0 || interruptions.some(({ kind }) => kind === "unknown_outcome")) return undefined;
  const verdict = await judge(toolUseBehavior, functionResults, run);
  if (!verdict.isFinalOutput) return undefined;
  outcome.rejectOpen("Rejected: the run ended with the output of toolUseBehavior.");
  await run.journal.commit();
  return { reason: "stopped_by_tool", text: verdict.finalOutput };
}

/** The wait of a run: for people first; it only sleeps if no question is open. */
function suspension({ interruptions, wakeAt }: ToolBatchOutcome): Ending {
  const kinds = new Set(interruptions.map(({ kind }) => kind));
  return { reason: waitingReason(kinds), interruptions, wakeAt };
}

function waitingReason(kinds: ReadonlySet<Interruption["kind"]>): Ending["reason"] {
  if (kinds.has("unknown_outcome")) return "awaiting_outcome";
  if (kinds.has("approval")) return "awaiting_approval";
  if (kinds.has("question")) return "awaiting_answer";
  return kinds.has("client_tool") ? "awaiting_client_tool" : "sleeping";
}

async function stoppedByTools(run: Run, outcome: ToolBatchOutcome): Promise<Ending | undefined> {
  if (outcome.stop === "stopped_by_tool" && handedOver(run)) return { reason: "completed", text: lastResultText(run) };
  if (outcome.stop !== undefined)
    return { reason: outcome.stop, ...(outcome.stop === "stopped_by_tool" && { text: lastResultText(run) }) };
  const verdict = await judge(run.settings.toolUseBehavior ?? "run_llm_again", outcome.functionResults, run);
  return verdict.isFinalOutput ? { reason: "stopped_by_tool", text: verdict.finalOutput } : undefined;
}

/** The agent that took the conversation over has answered. */
function handedOver({ journal: { state } }: Run): boolean {
  return state.activeAgent !== state.start?.agentName;
}

async function judge(
  behavior: ToolUseBehavior,
  results: readonly FunctionToolResult[],
  run: Run,
): Promise<ToolUseVerdict> {
  if (behavior === "run_llm_again") return { isFinalOutput: false };
  if (typeof behavior === "function") {
    const shown = (await withChildOutputs(run, results)).map(shownResult);
    return demand(run, "toolUseBehavior", () => behavior(shown, run.context), readVerdict);
  }
  const stopAt =
    behavior === "stop_on_first_tool"
      ? undefined
      : behavior.stopAtToolNames.map((name) => run.catalogue.resolveName(name));
  const stopping = results.find(
    (result) => result.type === "function_output" && (stopAt === undefined || stopAt.includes(result.tool.name)),
  );
  if (stopping?.type !== "function_output") return { isFinalOutput: false };
  return { isFinalOutput: true, finalOutput: resultText(run, stopping.runItem.toolCallId) };
}

/** A result of a call for user code: its own copy, with the tool itself. */
function shownResult(given: FunctionToolResult): FunctionToolResult {
  switch (given.type) {
    case "function_output": {
      const { agentRunResult, interruptions } = given;
      return {
        ...given,
        output: ownCopy(given.output),
        runItem: ownCopy(given.runItem),
        ...(agentRunResult !== undefined && { agentRunResult: observedOutput(agentRunResult) }),
        ...(interruptions !== undefined && { interruptions: interruptions.map(ownInterruption) }),
      };
    }
    case "function_approval":
    case "hosted_mcp_tool_approval":
      return { ...given, runItem: ownInterruption(given.runItem) };
  }
}

const ownInterruption = (asked: Interruption): Interruption => interruption(ownCopy({ ...asked }));

function readVerdict(given: ToolUseVerdict): ToolUseVerdict {
  const answer = ownAnswer(given);
  const { isFinalOutput, finalOutput } = (answer ?? {}) as { isFinalOutput?: unknown; finalOutput?: unknown };
  const holds = isFinalOutput === false || (isFinalOutput === true && typeof finalOutput === "string");
  return expected("toolUseBehavior", "{ isFinalOutput: false } or { isFinalOutput: true, finalOutput }", holds, answer);
}

function resultText(run: Run, toolCallId: string): string {
  const message = run.journal.state.messages.findLast((one) => one.role === "tool" && one.toolCallId === toolCallId);
  return message === undefined ? "" : textOfContent(message.content);
}

function lastResultText(run: Run): string {
  const { state } = run.journal;
  const ending = state.turnCalls.map((key) => state.calls.get(key)).findLast((call) => call?.outcome?.endRun === true);
  return ending === undefined ? "" : resultText(run, ending.toolCallId);
}

/** Calls the parts of the run after a turn; the first ending counts. */
export async function endedByPart(run: Run, answered: boolean): Promise<Ending | undefined> {
  for (const part of run.points.afterTurn) {
    const ending = await part.afterTurn(run, { answered });
    if (ending !== undefined) return ending;
  }
  return undefined;
}

/** The error of an answer that the vendor ended as failed. */
export function failedAnswer(run: Run): ModelResponseError {
  const { lastAnswer } = run.journal.state;
  const { provider, model } = lastAnswer?.provenance ?? { provider: "unknown", model: "unknown" };
  return new ModelResponseError(
    `${provider}/${model} ended its answer with an error (${lastAnswer?.rawFinishReason ?? "no reason given"}).`,
    { provider, model, retryable: false },
  );
}

/** Input guardrails that run in parallel with the model decide before any tool runs. */
export async function awaitInputVerdict(run: Run): Promise<void> {
  if (run.inputVerdict === undefined) return;
  await run.inputVerdict;
  if (run.control.ending !== undefined) {
    settleUnrunCalls(run, "policy_denied", "Not run: a guardrail blocked the input.");
    throw new RunStoppedError(run.control.ending);
  }
}

/**
 * Adds the output of each run inside a call that ended in another process: a function of `toolUseBehavior` sees the same
 * before and after a pause.
 */
async function withChildOutputs(
  run: Run,
  results: readonly FunctionToolResult[],
): Promise<readonly FunctionToolResult[]> {
  const { state } = run.journal;
  const children = new Map(
    state.turnCalls.flatMap((key) => {
      const call = state.calls.get(key);
      const runId = call?.outcome?.childRun?.runId;
      return call === undefined || runId === undefined ? [] : [[call.toolCallId, runId] as const];
    }),
  );
  return Promise.all(
    results.map(async (result) => {
      if (result.type !== "function_output" || result.agentRunResult !== undefined) return result;
      const runId = children.get(result.runItem.toolCallId);
      const agentRunResult = runId === undefined ? undefined : await run.childOutput(runId);
      return agentRunResult === undefined
        ? result
        : { ...result, agentRunResult, interruptions: agentRunResult.interruptions };
    }),
  );
}
