import type { ToolMissingError } from "../../errors/run-errors.ts";
import type { ApprovalPolicy } from "../settings/join-approval.ts";
import type { FlowCall, FlowDecision } from "../../contracts/ports/flow-policy.ts";
import type { InterruptionData } from "../../contracts/interruption.ts";
import type { JournalEventInput } from "../../contracts/journal-event.ts";
import type { LedgerKey, LedgerRow } from "../../contracts/ports/ledger.ts";
import type { ToolPreview } from "../../contracts/preview.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import type { ToolMessage } from "../../contracts/message.ts";
import type { ToolCall } from "../../contracts/tool-call.ts";
import type { ToolExecutionContext } from "../../contracts/tool-context.ts";
import type { ToolErrorKind } from "../../contracts/vocabularies.ts";
import type { CallKey, CallState } from "../../journal/run-state.ts";
import { isSameJson } from "../../json/canonical-json.ts";
import { defaultsIn, type ValuePath } from "../../tools/schema-defaults.ts";
import type { CallValue } from "./call-value.ts";
import { failure, type FailureDetails } from "./failure.ts";
import { pauseUnless } from "../limits/timeouts.ts";
import { asFlow } from "../settings/join-flow.ts";
import type { Run } from "../run.ts";

/** Fields of a `tool.outcome` besides its position. */
export type OutcomeFields = Omit<
  Extract<JournalEventInput, { type: "tool.outcome" }>,
  "type" | "key" | "label" | "labels" | "turn" | "index" | "toolCallId" | "toolName" | "attempt"
>;

/** Calls of one turn that are driven together. */
export interface Batch {
  readonly run: Run;
  readonly turn: number;
  readonly calls: PipelineCall[];
  /** The reason why no further call may start; running ones are cancelled. */
  stopped: { readonly reason: "aborted" | "failed"; readonly error?: unknown } | undefined;
  /** Called once when the batch is stopped. */
  readonly onStop: Set<() => void>;
  /** Every call was permitted, refused or waits, and the approved ones are running. */
  gated: boolean;
  /** The consumer of the stream left: no call may start to run. */
  left: boolean;
  /** A run inside a call needs a tool that is gone: this run stops too, and both can be resumed. */
  missing: ToolMissingError | undefined;
  /** Final names in `approval.policy`, resolved once. */
  policyNames: Map<ApprovalPolicy, readonly ((toolName: string) => boolean)[]> | undefined;
}

export interface CallPlace {
  readonly turn: number;
  readonly index: number;
  readonly toolCallId: string;
  readonly toolName: string;
}

/** How a call shares its result with other calls. */
export interface KeyUse {
  readonly idempotencyKey?: string | undefined;
  /** Ledger entry for other calls with the same key. */
  readonly reserved?: LedgerKey | undefined;
  /** Cache of readers' results. */
  readonly cacheKey?: LedgerKey | undefined;
  /** An earlier call of this turn has the same idempotency key: it runs first. */
  readonly waitsFor?: PipelineCall | undefined;
}

/** Permission for a call to run: the result of `permit`. */
export interface Permit extends KeyUse {
  /** Number of the first attempt in this process, from 1. */
  readonly attempt: number;
  /** The interruption whose approval the execution uses up. */
  readonly approvalId?: string | undefined;
  /** Preview of the call, as its tool showed it. */
  readonly preview?: ToolPreview | undefined;
}

/**
 * A call on its way from the model to its result. Its lasting state is in the journal; everything else is computed
 * again from it. What one stage knows is a local of that stage.
 */
export class PipelineCall implements CallPlace {
  readonly batch: Batch;
  readonly run: Run;
  readonly key: CallKey;
  /** The journaled state of the call; only the fold changes it. */
  readonly state: CallState;
  readonly turn: number;
  readonly index: number;
  readonly toolCallId: string;
  readonly toolName: string;
  /** The raw argument text, as the model wrote it. */
  readonly rawArguments: string;
  /** The arguments as the provider parsed them, without fields that strict mode made the model add. */
  readonly givenInput: unknown;
  tool: ResolvedTool | undefined = undefined;
  /** The value, once its arguments were parsed. */
  value: CallValue | undefined = undefined;
  /** The context of predicates and key functions: one for all of them. */
  context: ToolExecutionContext | undefined = undefined;
  /** The decision of the flow policy that applies to the value. */
  flow: FlowDecision | undefined = undefined;
  /** Set when the call may run. */
  permit: Permit | undefined = undefined;
  /** The questions that the call waits for; an empty list if it waits for a time. */
  waitsOn: readonly InterruptionData[] | undefined = undefined;
  /** The run inside this call, when the tool is an agent that ran in this process. */
  childOutput: RunOutput | undefined = undefined;

  constructor(batch: Batch, key: CallKey, state: CallState, made: ToolCall | undefined) {
    this.batch = batch;
    this.run = batch.run;
    this.key = key;
    this.state = state;
    this.turn = state.turn;
    this.index = state.index;
    this.toolCallId = state.toolCallId;
    this.toolName = state.toolName;
    this.rawArguments = (state.exact ?? made)?.arguments ?? "";
    this.givenInput = (state.exact ?? made)?.input;
  }

  /** `gating`: `permit` decides about it; `ready`: may run, or runs; `waiting`: for a person or a time; `finished`. */
  get phase(): "gating" | "ready" | "waiting" | "finished" {
    if (this.state.outcome !== undefined) return "finished";
    if (this.waitsOn !== undefined) return "waiting";
    return this.permit === undefined ? "gating" : "ready";
  }
  /** The value as JSON. */
  get args(): unknown {
    return this.value?.args;
  }
  /** The value as `execute` gets it. */
  get input(): unknown {
    return this.value?.input;
  }
  /** Hash of the value; empty before the arguments were parsed. */
  get argsHash(): string {
    return this.value?.hash ?? "";
  }
}

export function beginCall(batch: Batch, key: CallKey, made: ToolCall | undefined): PipelineCall {
  const { run } = batch;
  const state = run.journal.state.calls.get(key);
  if (state === undefined) throw new TypeError(`Call ${key} of run ${run.runId} is not in its journal.`);
  return new PipelineCall(batch, key, state, made);
}

/** A call as approvers and policies get it: with the value that would run. */
export function modelCall(
  call: Pick<PipelineCall, "toolCallId" | "toolName" | "rawArguments" | "args"> & Partial<Pick<PipelineCall, "value">>,
): ToolCall {
  const { toolCallId, toolName, rawArguments, args, value } = call;
  const isAsGiven = value === undefined || isSameJson(value.given, args);
  return { id: toolCallId, name: toolName, arguments: isAsGiven ? rawArguments : JSON.stringify(args), input: args };
}

/** Lets a call wait for a person, or for a time. */
export function wait(call: PipelineCall, interruptions: readonly InterruptionData[] = []): void {
  call.waitsOn = interruptions;
}

/** True if a call has its outcome, or waits. */
export function isSettled({ phase }: PipelineCall): boolean {
  return phase === "finished" || phase === "waiting";
}

/** Number of the attempt that this process makes, from 1. */
export function attemptOf(call: PipelineCall): number {
  const { permit, state } = call;
  if (permit !== undefined) return permit.attempt;
  return state.intent !== undefined || isUncertain(call) ? lastAttemptOf(call) + 1 : 1;
}

/** Number of the attempt before, whose outcome is not recorded. */
export function lastAttemptOf({ state }: PipelineCall): number {
  return state.intent?.attempt ?? 1;
}

/** True if an effect of the call may have happened without being recorded. */
export function isUncertain({ state: { intent, outcome, settledAttempt, formerReader }, tool }: PipelineCall): boolean {
  if (outcome !== undefined) return false;
  if (intent === undefined) return formerReader === true && tool?.__isJournaledFirst === true;
  return intent.attempt > (settledAttempt ?? 0);
}

/** The permit of a call that runs. */
export function permitOf(call: PipelineCall): Permit {
  if (call.permit === undefined) throw new TypeError(`Call ${call.key} of run ${call.run.runId} has no permit.`);
  return call.permit;
}

/** The tool of a call that was found. */
export function toolOf(call: PipelineCall): ResolvedTool {
  if (call.tool === undefined) throw new TypeError(`Call ${call.key} of run ${call.run.runId} has no tool.`);
  return call.tool;
}

/** The position of a call in its run, as its records carry it. */
export function placeOf({ turn, index, toolCallId, toolName }: CallPlace): CallPlace {
  return { turn, index, toolCallId, toolName };
}

/** A call as the flow policy gets it. */
export function flowCallOf(call: PipelineCall): FlowCall {
  const { turn, index, toolCallId, value } = call;
  const tool = toolOf(call);
  const { given, args, input } = value ?? { given: undefined, args: undefined, input: undefined };
  return { turn, index, toolCallId, tool, input, args, given, setBySchema: setBySchema(tool, value) };
}

/** Places of the values that only the tool's schema set. */
export function setBySchema(
  tool: Pick<ResolvedTool, "__inputJsonSchema"> | undefined,
  value: CallValue | undefined,
): readonly ValuePath[] {
  if (tool === undefined || value === undefined || value.given === value.args) return [];
  return defaultsIn(tool.__inputJsonSchema, value.given, value.args);
}

/**
 * Journals the call with its value, or with the raw text of its arguments if they were invalid; once for each value.
 *
 * @param needsApproval - What the tool and the policies said; `undefined` if the call ended before that.
 */
export function recordCall(call: PipelineCall, needsApproval?: boolean): void {
  if (call.state.call === undefined) recordValue(call, needsApproval);
}

/**
 * Journals the value of a call.
 *
 * @param round - From 2 on: the value took the place of a journaled one, before anything ran.
 */
export function recordValue(call: PipelineCall, needsApproval: boolean | undefined, round?: number): void {
  const { flow, turn, index, toolCallId, toolName, value } = call;
  const isChanged = value !== undefined && value.given !== value.args && !isSameJson(value.given, value.args);
  // Without `...placeOf(call)`, also in `finish`: V8 adds the members of a spread that is not the first one by one.
  call.run.journal.record({
    type: "tool.call",
    turn,
    index,
    toolCallId,
    toolName,
    args: journaled(call, value === undefined ? call.rawArguments : value.args),
    ...(isChanged && { given: journaled(call, value.given) }),
    ...(round !== undefined && { round }),
    argsHash: call.argsHash,
    definitionHash: call.tool?.__definitionHash ?? "",
    needsApproval,
    allowedBy: flow?.plain === true ? flow.rule : undefined,
  });
  if (flow !== undefined && flow.plain !== true) recordFlow(call, flow);
}

/** The message for the model about the result of a call. */
export function toolMessage(
  { ids, clock }: Run,
  { toolCallId, toolName }: Pick<CallPlace, "toolCallId" | "toolName">,
  content: ToolMessage["content"],
  more?: Pick<ToolMessage, "isError" | "hostedApproval">,
): ToolMessage {
  const id = ids.next("message");
  return { role: "tool", id, toolCallId, toolName, content, ...more, timestamp: clock.now() };
}

export function recordFlow(call: PipelineCall, flow: FlowDecision): void {
  const { verdict, rule, explanation, readers, shadow, ofContext, correction, stopRun, grant, input } = flow;
  const decision = { verdict, rule, explanation, readers, shadow, ofContext, correction, stopRun, grant, input };
  call.run.journal.record({ type: "flow.decided", ...placeOf(call), ...decision });
}

/** A sealed journal stores arguments unchanged; any other one stores them without known secrets. */
function journaled<T>(call: PipelineCall, value: T): T {
  const { secrets, sealer } = call.run.agent;
  return secrets === undefined || sealer !== undefined ? value : secrets.scrub(value);
}

export function scrubbed<T>({ run }: { readonly run: Pick<Run, "agent"> }, value: T): T {
  return run.agent.secrets?.scrub(value) ?? value;
}

/** A value without known secrets, as a person sees it: without characters that could deceive an eye or a terminal. */
export function displayed<T>(call: { readonly run: Pick<Run, "agent"> }, value: T): T {
  const clean = scrubbed(call, value);
  return call.run.agent.sanitizer?.display(clean) ?? clean;
}

/**
 * Ends a call with its outcome; presentation makes the model's message from it.
 *
 * @param attempt - The attempt that the outcome belongs to. Default: the one that this process makes.
 */
export function finish(
  call: PipelineCall,
  outcome: OutcomeFields,
  { attempt = attemptOf(call), rows }: { readonly attempt?: number; readonly rows?: readonly LedgerRow[] } = {},
): void {
  if (call.phase === "finished") return;
  recordCall(call);
  const { turn, index, toolCallId, toolName, run } = call;
  const neededPerson = outcome.failure?.code === "UNATTENDED" || run.unattendedInside.has(toolCallId);
  const unattended = neededPerson && isUnattended(run) && call.tool?.runsOn !== "client" ? true : undefined;
  run.journal.record(
    { type: "tool.outcome", turn, index, toolCallId, toolName, attempt, unattended, ...outcome },
    rows,
  );
}

/** True if the run ends where a person would have to decide. */
export function isUnattended({ settings }: Pick<Run, "settings">): boolean {
  return asFlow(settings.flow).unattended === "fail";
}

/** Ends a call with a failure; its code did not run after this point. */
export function fail(call: PipelineCall, kind: ToolErrorKind, message: string, details?: FailureDetails): void {
  finish(call, { failure: failure(kind, message, details), durationMs: 0 });
}

/** Ends a call that was not executed because the run was stopped. */
export function failUnstarted(call: PipelineCall): void {
  fail(call, "aborted", `The run was stopped before "${call.toolName}" ran. It had no effect.`);
}

/** Waits; returns early if the batch is stopped. */
export function pause({ run, batch }: PipelineCall, delayMs: number): Promise<void> {
  return pauseUnless(run.timers, delayMs, (wake) => {
    batch.onStop.add(wake);
    return () => batch.onStop.delete(wake);
  });
}

/** A value, or a promise of it; plain values are not awaited. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Continues with a value at once, or when its promise settles. A call with a synchronous tool and stages ends in the
 * turn of the event loop in which it starts, so 64 such calls cost no promises.
 */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Continues with the return value of a user's function or its promise, and with its error or rejection. */
export function settled<T, R>(
  make: () => MaybePromise<T>,
  next: (value: T) => R,
  failed: (error: unknown) => R,
): MaybePromise<R> {
  let value: MaybePromise<T>;
  try {
    value = make();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.then(next, failed) : next(value);
}

/**
 * Runs stages in order and waits for those that return a promise.
 *
 * @param isDone - Asked before each stage; if it returns true, the rest is skipped. Default: never.
 */
export function runStages<T>(
  stages: readonly ((subject: T) => MaybePromise<void>)[],
  subject: T,
  isDone?: (subject: T) => boolean,
  first = 0,
): MaybePromise<void> {
  for (let index = first; index < stages.length; index += 1) {
    if (isDone?.(subject) === true) return undefined;
    const pending = stages[index]?.(subject);
    if (pending instanceof Promise) return pending.then(() => runStages(stages, subject, isDone, index + 1));
  }
  return undefined;
}
