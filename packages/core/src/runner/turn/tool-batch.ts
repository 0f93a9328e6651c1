import type { FunctionToolResult } from "../../contracts/function-tool-result.ts";
import type { Interruption } from "../../contracts/interruption.ts";
import type { ToolCallResult } from "../../contracts/tool-call-result.ts";
import type { StopReason } from "../../contracts/stop-reason.ts";
import { beginCall, fail, failUnstarted, type Batch, type PipelineCall } from "../tool-call/call.ts";
import { permit, wakeTimeOf } from "../tool-call/permit.ts";
import { decideHosted, rejectHosted, type HostedOutcome } from "../tool-call/hosted-approval.ts";
import { interruption } from "../interruption.ts";
import { presentFinished } from "../tool-call/present.ts";
import { runReady, stopBatch } from "../tool-call/schedule.ts";
import type { ModelSpec } from "../../contracts/model-provider.ts";
import type { ModelHint } from "../../contracts/vocabularies.ts";
import { rejectOpenCalls } from "../tool-call/unrun-calls.ts";
import type { Run } from "../run.ts";

/** Outcomes of a turn's calls. */
export interface ToolBatchOutcome {
  /** Results for behaviours: one entry per call, in the model's order. */
  readonly functionResults: readonly FunctionToolResult[];
  /** Results that this batch recorded, in the model's order. */
  readonly results: readonly ToolCallResult[];
  /** Questions that a person must decide before the turn can continue; empty if the turn is complete, or only sleeps. */
  readonly interruptions: readonly Interruption[];
  /** Time at which the first sleeping call of the turn continues, in milliseconds since the epoch. */
  readonly wakeAt?: number | undefined;
  /** A tool or a policy ends the run after this turn. */
  readonly stop?: Extract<StopReason, "stopped_by_tool" | "policy_denied" | "unattended" | "cancelled"> | undefined;
  /** Rejects the calls that wait for a person: the run ends without them. */
  readonly rejectOpen: (reason: string) => void;
}

/**
 * Drives every call of the current turn that has no result yet, and every approval that the vendor asks for: gates
 * all of them in the model's order, runs the approved ones, and presents their outcomes. A resumed run uses the same
 * function: each call continues from its journaled stage. Results are recorded in the model's order and committed
 * together; calls that wait for a person stay open.
 *
 * @param run - The run, after an answer with tool calls.
 * @returns the records, the open questions, and a flag that tells if the run has to stop.
 * @throws ToolMissingError when a call that passed its gate before needs a tool that is gone.
 * @throws JournalUnavailableError or FencedError when the journal could not be written; nothing starts after that.
 * @throws RunError `APPROVAL_TIMEOUT` when an inline approver took too long and `approval.timeoutAction` is `throw`.
 */
export async function runToolBatch(run: Run): Promise<ToolBatchOutcome> {
  const batch = createBatch(run);
  const open = batch.calls.filter((call) => call.state.result === undefined);
  const forgetStop = run.control.onStop(() => stopBatch(batch, { reason: "aborted" }));
  const forgetLeave = run.control.onLeave(() => {
    batch.left = true;
    if (batch.gated) stopIfLeft(batch);
  });
  let hosted: HostedOutcome;
  try {
    await driveCalls(batch, open);
    hosted = await decideHosted(batch);
    await presentFinished(open);
    await run.journal.commit();
  } finally {
    forgetStop();
    forgetLeave();
  }
  return outcomeOf(batch, open, hosted);
}

function createBatch(run: Run): Batch {
  const { state } = run.journal;
  const batch: Batch = {
    run,
    turn: state.turn,
    calls: [],
    stopped: undefined,
    onStop: new Set(),
    gated: false,
    left: false,
    missing: undefined,
    policyNames: undefined,
  };
  for (const key of state.turnCalls) {
    const index = state.calls.get(key)?.index ?? 0;
    batch.calls.push(beginCall(batch, key, state.lastAnswer?.toolCalls[index]));
  }
  return batch;
}

async function driveCalls(batch: Batch, open: readonly PipelineCall[]): Promise<void> {
  const unfinished = unfinishedTurn(batch.run);
  for (const call of open) {
    if (unfinished !== undefined && call.state.call === undefined) {
      fail(
        call,
        "aborted",
        `The answer ended early (${unfinished}), so "${call.toolName}" did not run. Call it again if it is still needed.`,
        {
          code: "ANSWER_UNFINISHED",
          recoverable: true,
          recoveryHint: "check_input",
        },
      );
      continue;
    }
    call.permit = await permit(call);
    if (batch.stopped !== undefined && call.phase !== "finished") failUnstarted(call);
  }
  batch.gated = true;
  stopIfLeft(batch);
  await runReady(batch);
  if (batch.missing !== undefined) throw batch.missing;
  if (batch.stopped === undefined) return;
  if (batch.stopped.reason === "failed") throw batch.stopped.error;
  for (const call of open) if (call.phase !== "finished") failUnstarted(call);
}

/**
 * Stops a batch if the consumer left while one of its calls runs or may run: the batch does not only wait for a person.
 */
function stopIfLeft(batch: Batch): void {
  const works = ({ phase, toolCallId }: PipelineCall): boolean =>
    phase === "ready" && !batch.run.waitsInside(toolCallId);
  if (batch.left && batch.calls.some(works)) stopBatch(batch, { reason: "aborted" });
}

/** The reason why the calls of an answer must not run, as they may be truncated; `undefined` if they may run. */
function unfinishedTurn(run: Run): string | undefined {
  const reason = run.journal.state.lastAnswer?.finishReason;
  return reason === "length" || reason === "content_filter" || reason === "error" ? reason : undefined;
}

function outcomeOf(batch: Batch, open: readonly PipelineCall[], hosted: HostedOutcome): ToolBatchOutcome {
  const { run } = batch;
  const results: ToolCallResult[] = [];
  const functionResults: FunctionToolResult[] = [];
  const interruptions: Interruption[] = [];
  let endRun = false;
  let wakeAt: number | undefined;
  for (const call of batch.calls) {
    const { result, outcome } = call.state;
    if (outcome?.endRun === true) endRun = true;
    if (result !== undefined) {
      if (open.includes(call)) results.push(result.result);
      const tool = call.tool ?? run.catalogue.get(call.toolName);
      if (tool !== undefined)
        functionResults.push({
          type: "function_output",
          tool,
          output: result.result.output,
          runItem: result.result,
          ...insideOf(call),
        });
      continue;
    }
    const wakes = wakeTimeOf(call);
    if (wakes !== undefined) wakeAt = Math.min(wakes, wakeAt ?? wakes);
    const asked = (call.waitsOn ?? []).map((data) => interruption(data));
    interruptions.push(...asked);
    functionResults.push(...waitingResults(call, asked));
  }
  interruptions.push(...hosted.interruptions);
  functionResults.push(...hosted.functionResults);
  const nextModel = nextModelOf(batch);
  if (nextModel !== undefined) run.nextModel = nextModel;
  const stop = stopOf(batch, hosted, endRun && interruptions.length === 0 && wakeAt === undefined);
  return {
    functionResults,
    results,
    interruptions,
    rejectOpen: (reason) => {
      rejectOpenCalls(run, reason);
      rejectHosted(batch, reason);
    },
    ...(wakeAt !== undefined && { wakeAt }),
    ...(stop !== undefined && { stop }),
  };
}

/** A waiting call: an agent with the questions of its run, any other with its approval. */
function waitingResults(call: PipelineCall, asked: readonly Interruption[]): readonly FunctionToolResult[] {
  const { tool, toolCallId, toolName, args, childOutput, state } = call;
  if (tool === undefined) return [];
  if (state.child === undefined || asked.length === 0)
    return asked
      .filter(({ kind }) => kind === "approval")
      .map((one) => ({ type: "function_approval", tool, runItem: one }));
  return [
    {
      type: "function_output",
      tool,
      output: undefined,
      runItem: { toolCallId, toolName, input: args, isError: false, durationMs: 0 },
      ...(childOutput !== undefined && { agentRunResult: childOutput }),
      interruptions: asked,
    },
  ];
}

function insideOf({
  childOutput,
}: PipelineCall): Pick<Extract<FunctionToolResult, { type: "function_output" }>, "agentRunResult" | "interruptions"> {
  return childOutput === undefined ? {} : { agentRunResult: childOutput, interruptions: childOutput.interruptions };
}

function stopOf(batch: Batch, hosted: HostedOutcome, endRun: boolean): ToolBatchOutcome["stop"] {
  if (batch.stopped !== undefined) return "cancelled";
  if (hosted.unattended || batch.calls.some(({ state }) => state.outcome?.unattended === true)) return "unattended";
  // The journal has the decision, so a run that resumes after a crash stops too.
  if (batch.calls.some(({ state }) => state.flow?.stopRun === true) || batch.run.flow?.stopsAfterDenials() === true)
    return "policy_denied";
  return endRun ? "stopped_by_tool" : undefined;
}

const hints: ReadonlySet<unknown> = new Set<ModelHint>(["fast", "balanced", "smart"]);

/** The model that a tool of this turn wants for reading its result; the last call in the model's order decides. */
function nextModelOf(batch: Batch): ModelSpec | undefined {
  let model: ModelSpec | undefined;
  for (const { run, toolName, state } of batch.calls) {
    const preferred = run.catalogue.get(toolName)?.__preferredModel;
    if (preferred === undefined || state.outcome === undefined || state.outcome.failure !== undefined) continue;
    const spec = isHint(preferred) ? run.settings.modelTiers?.[preferred] : preferred;
    if (spec !== undefined) model = spec;
    else if (isHint(preferred) && run.isFirst(`tier ${toolName}`))
      run.logger.warn(
        `Tool "${toolName}" prefers a model of the tier "${preferred}", and agent "${run.agent.name}" has none: its own model reads the result. Add modelTiers: { ${preferred}: model } to the agent, or remove preferredModel.`,
      );
  }
  return model;
}

function isHint(preferred: ModelHint | ModelSpec): preferred is ModelHint {
  return hints.has(preferred);
}
