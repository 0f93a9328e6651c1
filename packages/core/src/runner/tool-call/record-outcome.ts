import { isWaiting } from "../../contracts/stop-reason.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import type { ToolFailure } from "../../contracts/tool-call-result.ts";
import type { ToolErrorKind } from "../../contracts/vocabularies.ts";
import type { ToolReturn } from "../../contracts/tool-return.ts";
import type { OutcomeUnknownError } from "../../errors/tool-error.ts";
import { isToolReturn } from "../../tools/tool-return.ts";
import {
  finish,
  lastAttemptOf,
  placeOf,
  scrubbed,
  toolOf,
  wait,
  type OutcomeFields,
  type PipelineCall,
} from "./call.ts";
import { contentPartProblem, plainPart } from "./presentation.ts";
import { ledgerRows, releaseKey } from "./deduplicate.ts";
import { effectiveTimeoutMs, type Execution, type Pause, type Attempt } from "./execution.ts";
import { failure, endedInMidCall, failureOfThrown, isOutcomeUnknown, isToolError } from "./failure.ts";
import { jsonOutput } from "../../json/checked-json.ts";
import { childRunOf, failedChildRun, isNestedRun, type NestedRun } from "./nested-run.ts";
import { joinResultLabels, readIn } from "./tool-memory.ts";
import { unknownOutcome } from "./unknown-outcome.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import type { InterruptionData } from "../../contracts/interruption.ts";
import { callerOf } from "../caller/caller.ts";
import { batchOf } from "./approval-scope.ts";

/** Journals the end of the tool's work immediately: without known secrets, and with its label. */
export function recordAttempt(call: PipelineCall, attempt: Attempt, execution: Execution, durationMs: number): void {
  const inner = attempt.kind === "returned" && isNestedRun(attempt.value) ? attempt.value : undefined;
  if (inner !== undefined) call.childOutput = inner.output;
  const waiting = waitingChild(attempt, inner);
  if (waiting !== undefined) return recordChildSuspension(call, waiting);
  const ended =
    inner === undefined ? outcomeOf(call, attempt, execution, durationMs) : nested(call, inner, execution, durationMs);
  const noted = execution.faked ? { ...ended, faked: true } : ended;
  const outcome = scrubbed(call, withSpentInside(call, withRead(call, noted)));
  finish(call, outcome, { attempt: execution.attempt, rows: ledgerRows(call, outcome) });
  if (outcome.failure !== undefined) releaseKey(call);
}

/** The inner run of the call, if it waits for a person. */
function waitingChild(attempt: Attempt, inner: NestedRun | undefined): RunOutput | undefined {
  if (inner !== undefined && isWaiting(inner.output.status)) return inner.output;
  if (attempt.kind !== "threw" || !NestedSuspensionError.isInstance(attempt.error)) return undefined;
  return attempt.error.output;
}

/** Journals that the tool asks or sleeps; the call waits for the answer, or for the time. */
export function recordPause(call: PipelineCall, pause: Pause): void {
  const { turn, index, run } = call;
  if ("question" in pause) {
    wait(call, [pause.question]);
    run.journal.record({ type: "input.requested", turn, index, interruption: pause.question });
    return;
  }
  wait(call);
  const { key, wakeAt } = pause.sleep;
  run.journal.record({ type: "sleep.begun", ...placeOf(call), sleepKey: key, wakeAt });
}

/** Ends a call with the client's answer, for a tool that the client runs. */
export function recordClientAnswer(
  call: PipelineCall,
  { value, failed }: NonNullable<PipelineCall["state"]["clientAnswer"]>,
): void {
  const message = `"${call.toolName}" failed on the client: ${failed}`;
  const outcome: OutcomeFields =
    failed === undefined
      ? withOutput(call, value, undefined, 0)
      : { failure: failure("execution_failed", message, { fromTool: true }), durationMs: 0 };
  finish(call, scrubbed(call, withRead(call, outcome)), { attempt: lastAttemptOf(call) });
}

/**
 * The output of a tool that reads its memories is at most as trusted as they are [flow.r7]; the output of a tool that
 * starts an agent itself, as the agent's input, unless the tool declares its output [flow.r9].
 */
function withRead({ run, toolCallId, tool }: PipelineCall, outcome: OutcomeFields): OutcomeFields {
  const isSaid = outcome.childRun !== undefined || tool?.__outputDeclared === true;
  const read = isSaid ? run.recalled.get(toolCallId) : readIn(run, toolCallId);
  return read === undefined ? outcome : { ...outcome, resultLabel: joinResultLabels(outcome.resultLabel, read) };
}

/** Adds the usage of the runs that the tool started itself. */
function withSpentInside({ run, toolCallId }: PipelineCall, outcome: OutcomeFields): OutcomeFields {
  const byRun = run.spentInside.get(toolCallId);
  if (byRun === undefined) return outcome;
  const { runId: counted } = outcome.childRun ?? {};
  const inside = [...byRun].flatMap(([id, spent]) => (id === counted ? [] : spent));
  return inside.length === 0 ? outcome : { ...outcome, inside };
}

function outcomeOf(call: PipelineCall, attempt: Attempt, execution: Execution, durationMs: number): OutcomeFields {
  switch (attempt.kind) {
    case "returned":
      return returned(call, attempt.value, execution, durationMs);
    case "threw":
      return { childRun: failedChildRun(attempt.error), failure: thrown(call, attempt.error), durationMs };
    case "timeout":
      return { failure: timedOut(call), durationMs };
    case "aborted":
      return { failure: aborted(call), durationMs };
    default:
      return attempt satisfies never;
  }
}

/** Output and cost of an agent that is used as a tool. */
function nested(
  call: PipelineCall,
  { output, value }: NestedRun,
  execution: Execution,
  durationMs: number,
): OutcomeFields {
  const childRun = childRunOf(output);
  try {
    return { ...returned(call, value(), execution, durationMs), childRun };
  } catch (error) {
    return { failure: thrown(call, error), childRun, durationMs };
  }
}

function returned(call: PipelineCall, value: unknown, execution: Execution, durationMs: number): OutcomeFields {
  const extra = isToolReturn(value) ? value : undefined;
  const output = extra === undefined ? value : extra.output;
  return withOutput(call, output === undefined ? execution.streamed() : output, extra, durationMs);
}

function withOutput(
  call: PipelineCall,
  output: unknown,
  extra: ToolReturn | undefined,
  durationMs: number,
): OutcomeFields {
  const json = jsonOutput(output);
  if (!json.ok) return { failure: notKept(call, `its output holds ${json.problem}`), durationMs };
  return extra === undefined ? { output: json.value, durationMs } : withExtra(call, json.value, extra, durationMs);
}

/** The outcome of a tool that returned more than its output. */
function withExtra(call: PipelineCall, output: unknown, extra: ToolReturn, durationMs: number): OutcomeFields {
  const details = jsonOutput(extra.details);
  if (!details.ok) return { failure: notKept(call, `its details hold ${details.problem}`), durationMs };
  const parts = jsonOutput(extra.contentParts, "message");
  if (!parts.ok) return { failure: notKept(call, `its contentParts hold ${parts.problem}`), durationMs };
  const problem = parts.value && contentPartProblem(parts.value);
  if (problem !== undefined) return { failure: notKept(call, problem), durationMs };
  return {
    output,
    contentParts: parts.value?.map(plainPart),
    details: details.value,
    resultLabel: extra.label,
    ...(extra.endRun === true && { endRun: true }),
    durationMs,
  };
}

/** The tool did its work, but its result cannot be stored or shown. */
function notKept(call: PipelineCall, problem: string): ToolFailure {
  const writer = toolOf(call).__isWriter;
  const happened = writer ? " Its effect DID happen: do not call it again for the same purpose." : "";
  const message = `"${call.toolName}" ran, but ${problem}. What a tool returns has to be JSON.${happened}`;
  return failure("invalid_output", message, { code: "OUTPUT_NOT_JSON", ...(writer && { effectHappened: true }) });
}

function thrown(call: PipelineCall, error: unknown): ToolFailure {
  logThrown(call, error);
  if (isOutcomeUnknown(error)) return outcomeUnknown(call, error);
  const said = failureOfThrown(call.toolName, error);
  // A sandbox was killed at its time limit: its effects are unknown.
  if (said.kind === "timeout") return timedOut(call);
  if (!endedInMidCall(said) || !toolOf(call).__isWriter) return said;
  return toolOf(call).__hasIdempotencyKey ? { ...said, effectHappened: "unknown" } : unknownOutcome(call, said.message);
}

/** Tells the developer about an error in the code of a tool: pages and the model see a part of it, or nothing. */
function logThrown(call: PipelineCall, error: unknown): void {
  // A tool throws these for the model.
  if (isToolError(error)) return;
  // A callback that did not settle is reported under its own name.
  if (BailiwickError.isInstance(error) && error.code === "HOOK_TIMEOUT") return;
  const { run, toolName, toolCallId } = call;
  const { message } = failureOfThrown(toolName, error);
  run.logger.warn(
    scrubbed(call, message),
    scrubbed(call, { runId: run.runId, toolName, toolCallId, stack: stackOf(error) }),
  );
}

/** The stack of a thrown value, whose properties may throw themselves. */
function stackOf(error: unknown): string | undefined {
  try {
    const { stack } = Object(error) as { readonly stack?: unknown };
    return typeof stack === "string" ? stack : undefined;
  } catch {
    return undefined;
  }
}

/** The tool itself does not know the outcome of its request. */
function outcomeUnknown(call: PipelineCall, { kind, message }: OutcomeUnknownError): ToolFailure {
  const failed = `"${call.toolName}" failed:`;
  if (toolOf(call).__isWriter) return perhapsHappened(call, kind, failed, message);
  return failure(kind, `${failed} ${message}`, { fromTool: true });
}

function timedOut(call: PipelineCall): ToolFailure {
  const failed = `"${call.toolName}" timed out.`;
  const limit = `It did not finish within ${effectiveTimeoutMs(call)} ms and was stopped.`;
  if (toolOf(call).__isWriter) return perhapsHappened(call, "timeout", failed, limit);
  return failure("timeout", `${failed} ${limit} Try again later, or ask for less.`);
}

/** The failure of a writer whose effect may have happened: with an idempotency key, another call is safe. */
function perhapsHappened(call: PipelineCall, kind: ToolErrorKind, failed: string, why: string): ToolFailure {
  if (!toolOf(call).__hasIdempotencyKey) return unknownOutcome(call, why);
  const message = `${failed} ${why} Its effect may have happened; calling it again with the same arguments is safe.`;
  return failure(kind, message, { effectHappened: "unknown" });
}

function aborted(call: PipelineCall): ToolFailure {
  const writer = toolOf(call).__isWriter;
  const effect = writer ? " Its effect may have happened: look it up before calling it again." : "";
  return failure("aborted", `The run was stopped while "${call.toolName}" ran.${effect}`, {
    ...(writer && { effectHappened: "unknown" as const }),
  });
}

/**
 * Leaves a tool whose inner run waits for a person. The outer run suspends with the questions of the inner one; after
 * the answers the tool starts again from its top, and the inner run continues.
 */
export class NestedSuspensionError extends BailiwickError {
  readonly output: RunOutput;

  constructor(output: RunOutput) {
    super(
      "NESTED_SUSPENSION",
      `The run of "${output.agentName}" inside this tool call waits for a person. Do not catch this error: the outer run is suspended with its questions.`,
      { runId: output.runId },
    );
    this.output = output;
  }
}

/** Journals that the run inside waits for a person: its questions surface on the outer run, with their path. */
function recordChildSuspension(call: PipelineCall, output: RunOutput): void {
  const { run } = call;
  const keyHeldBy = run.keyWaits.get(call.toolCallId);
  const interruptions = output.interruptions.map((asked): InterruptionData => {
    const { signer, secrets } = run.agent;
    const shown = secrets?.scrub({ ...asked }) ?? asked;
    // After a handoff, the active agent is the one inside.
    const agentPath = [run.agent.name, ...asked.agentPath];
    const { token: _inner, ...own } = { ...shown, runId: run.runId, agentPath };
    // [questions.inside] Calls of one turn may run agents: their approvals are on one card, as those of plain calls are.
    const place = [run.runId, call.turn, call.state.decisions?.length ?? 0, agentPath];
    const data = asked.batch === undefined ? own : { ...own, batch: batchOf(run.agent.hasher, place, asked) };
    return signer === undefined ? data : { ...data, token: signer.sign(data) };
  });
  run.journal.record({
    type: "child.suspended",
    ...placeOf(call),
    childRunId: output.runId,
    interruptions,
    spent: [...(run.spentInside.get(call.toolCallId) ?? [])].flatMap(([runId, spent]) =>
      spent.map((one) => ({ ...one, runId })),
    ),
    wakeAt: output.wakeAt,
    keyHeldBy,
  });
  run.keyWaits.delete(call.toolCallId);
  if (keyHeldBy !== undefined) callerOf(run.options.parent)?.noteKeyWait(keyHeldBy);
  wait(call, call.state.child?.interruptions ?? interruptions);
}
