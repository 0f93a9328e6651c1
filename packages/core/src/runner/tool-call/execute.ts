import type { ModuleEntry } from "../../contracts/sandbox-config.ts";
import type { SandboxedToolContext } from "../../contracts/tool-context.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { ToolMissingError } from "../../errors/run-errors.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import { ownCopy } from "../../user-code/copies.ts";
import {
  andThen,
  failUnstarted,
  pause,
  permitOf,
  scrubbed,
  toolOf,
  wait,
  type MaybePromise,
  type PipelineCall,
} from "./call.ts";
import { clientQuestion } from "./client-call.ts";
import { Execution, effectiveTimeoutMs, type Attempt } from "./execution.ts";
import { executeFaked } from "./fakes.ts";
import { isThenable, readableThrown } from "../../user-code/call-user-code.ts";
import { recordAttempt, recordPause } from "./record-outcome.ts";
import { isToolError } from "./failure.ts";
import { executionContext } from "./tool-context.ts";

/** Runs the tool, with its time-out and its retries, and journals the outcome. */
export function execute(call: PipelineCall): MaybePromise<void> {
  const { onToolCall } = call.run.points;
  return onToolCall.length === 0 ? attempt(call, call.run.clock.now()) : executeObserved(call, onToolCall);
}

async function executeObserved(
  call: PipelineCall,
  observers: PipelineCall["run"]["points"]["onToolCall"],
): Promise<void> {
  for (const part of observers) await part.onToolCall(call);
  return call.batch.stopped === undefined ? attempt(call, call.run.clock.now()) : failUnstarted(call);
}

function attempt(call: PipelineCall, startedAt: number, retries = 0): MaybePromise<void> {
  const tool = toolOf(call);
  const execution = new Execution(call, permitOf(call).attempt + retries);
  const { span } = execution;
  const begin = (): MaybePromise<Attempt> =>
    span === undefined ? start(call, tool, execution) : span.within(() => start(call, tool, execution));
  // The right to act is proven where the effect starts, not only where its intent was written.
  const proof = tool.__isJournaledFirst || tool.runsOn === "client" ? call.run.agent.keeper.prove(call.run) : undefined;
  const started = proof === undefined ? begin() : proof.then(begin);
  return andThen(started, (result) => endAttempt(call, tool, execution, result, startedAt, retries));
}

/** Journals the outcome of an attempt, or begins another. */
function endAttempt(
  call: PipelineCall,
  tool: ResolvedTool,
  execution: Execution,
  result: Attempt,
  startedAt: number,
  retries: number,
): MaybePromise<void> {
  execution.end();
  // A call of the run inside needs a tool that is gone: the call waits, and the run stops after the other calls.
  if (result.kind === "threw" && ToolMissingError.isInstance(result.error)) {
    execution.span?.end(result, true);
    wait(call);
    call.batch.missing ??= result.error;
    return undefined;
  }
  const { pause } = execution;
  if (pause !== undefined) {
    execution.span?.end(result, true);
    execution.abort(new Error("The tool asked a person or sleeps; it starts again from its top."));
    return recordPause(call, pause);
  }
  if (shouldRetry(call, tool, result, retries)) {
    execution.span?.end(result, false);
    return pauseThenRetry(call, startedAt, retries);
  }
  if (result.kind === "returned" && !execution.faked) warnAboutUnreadKey(execution, call, tool);
  recordAttempt(call, result, execution, call.run.clock.now() - startedAt);
  return execution.span?.end(result, call.phase === "waiting");
}

/** Time for a tool of this process to end after its signal is aborted, unless `timeouts.toolGraceMs` sets another. */
const defaultGraceMs = 2_000;

/** Calls the tool. A result that is not a promise is used at once. */
function start(call: PipelineCall, tool: ResolvedTool, execution: Execution): MaybePromise<Attempt> {
  const run = tool.execute;
  const timeoutMs = effectiveTimeoutMs(call, tool);
  const { clock, options } = call.run;
  const startedAt = clock.now();
  const real = (): unknown => {
    if (tool.runsOn === "client") return execution.askClient(clientQuestion(call));
    return typeof run === "function"
      ? run(ownCopy(call.input), executionContext(call, execution))
      : executeInSandbox(call, tool, run, execution, timeoutMs);
  };
  let returned: unknown;
  try {
    returned = options.fakes === undefined ? real() : executeFaked(call, options.fakes, execution, real);
  } catch (error) {
    return { kind: "threw", error: readableThrown(error) };
  }
  reportOverrun(call, clock.now() - startedAt, timeoutMs);
  if (!isThenable(returned)) return { kind: "returned", value: returned };
  // Code in this process only gets an abort signal; a sandbox is killed.
  const graceMs = tool.sandboxPolicy === "none" ? (call.run.settings.timeouts?.toolGraceMs ?? defaultGraceMs) : 0;
  return race(call, Promise.resolve(returned), execution, timeoutMs, graceMs);
}

/** Synchronous code cannot be stopped at its time limit: its effect counts, and the overrun is reported. */
function reportOverrun({ run, toolName, toolCallId }: PipelineCall, tookMs: number, timeoutMs: number): void {
  if (timeoutMs === 0 || tookMs <= timeoutMs) return;
  const message = `"${toolName}" blocked its process for ${Math.round(tookMs)} ms, and its limit is ${timeoutMs} ms. Synchronous code cannot be stopped: make it asynchronous, or set a sandbox. Its result counts.`;
  run.warn({ code: "tool_overrun", message, subject: toolCallId });
  run.logger.warn(message);
}

function executeInSandbox(
  call: PipelineCall,
  tool: ResolvedTool,
  entry: ModuleEntry,
  execution: Execution,
  timeoutMs: number,
): Promise<unknown> {
  const { run } = call;
  const { sandbox } = run.agent;
  if (sandbox === undefined) {
    throw new BailiwickError(
      "SANDBOX_UNAVAILABLE",
      "no sandbox is available to this agent; supply one, for example by using @bailiwick/agent.",
      { runId: run.runId },
    );
  }
  const full = executionContext(call, execution);
  const context: SandboxedToolContext = {
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    runId: run.runId,
    step: call.turn,
    attempt: execution.attempt,
    idempotencyKey: permitOf(call).idempotencyKey,
    metadata: run.context.metadata,
    log: (message) => run.logger.info(`[${call.toolName}] ${scrubbed(call, message)}`),
    reportProgress: (progress) => full.reportProgress(progress),
    fetch: full.fetch,
    secretHeader: async (name, template) => (await full.secrets.require(name)).header(template),
  };
  return sandbox.execute({
    entry,
    trustClass: tool.__trustClass,
    config: tool.sandboxConfig,
    saidBy: tool.__sandbox?.saidBy ?? "source",
    moduleHash: tool.__sandbox?.moduleHash ?? "",
    input: call.input,
    context,
    signal: execution.signal(),
    timeoutMs,
  });
}

/**
 * Repeats only the execute stage, and only for tools whose repetition changes nothing, which the registry has checked.
 */
function shouldRetry({ batch }: PipelineCall, { retry }: ResolvedTool, result: Attempt, retries: number): boolean {
  if (retry === undefined || retries + 1 >= retry.maxAttempts || batch.stopped !== undefined) return false;
  if (result.kind === "timeout") return true;
  if (result.kind !== "threw") return false;
  return !(isToolError(result.error) && (result.error.kind === "invalid_input" || result.error.recoverable === false));
}

async function pauseThenRetry(call: PipelineCall, startedAt: number, retries: number): Promise<void> {
  const { retry } = toolOf(call);
  const delayMs = Math.min((retry?.initialDelayMs ?? 0) * 2 ** retries, retry?.maxDelayMs ?? 10_000);
  await pause(call, delayMs);
  return attempt(call, startedAt, retries + 1);
}

/**
 * Waits for an attempt, its time-out, its pause, or the end of the batch. A result that arrives within the grace period
 * counts, because its effect did happen. A later result is ignored.
 *
 * @param timeoutMs - `0` is unlimited.
 * @param graceMs - Time to end after the signal of the attempt is aborted.
 */
function race(
  call: PipelineCall,
  pending: Promise<unknown>,
  execution: Execution,
  timeoutMs: number,
  graceMs: number,
): Promise<Attempt> {
  const { run, batch } = call;
  return new Promise<Attempt>((resolve) => {
    let cancelTimer: (() => void) | undefined;
    let ended = false;
    const end = (attempt: Attempt): void => {
      if (ended) return;
      ended = true;
      cancelTimer?.();
      batch.onStop.delete(onStop);
      resolve(attempt);
    };
    let interrupted: "timeout" | "aborted" | undefined;
    const interrupt = (kind: "timeout" | "aborted", reason: unknown): void => {
      if (interrupted !== undefined) return;
      interrupted = kind;
      cancelTimer?.();
      cancelTimer = run.timers.setTimer(() => end({ kind }), graceMs);
      execution.abort(reason);
    };
    const onStop = (): void => interrupt("aborted", run.context.signal.reason ?? new Error("The run was stopped."));
    pending.then(
      (value) => end({ kind: "returned", value }),
      (error: unknown) =>
        end(interrupted === undefined ? { kind: "threw", error: readableThrown(error) } : { kind: interrupted }),
    );
    if (timeoutMs > 0)
      cancelTimer = run.timers.setTimer(
        () => interrupt("timeout", lateReason(`"${call.toolName}" did not finish within ${timeoutMs} ms.`)),
        timeoutMs,
      );
    if (batch.stopped === undefined) batch.onStop.add(onStop);
    else onStop();
    // The promise of a tool that asks or sleeps never settles.
    execution.whenPaused(() => end({ kind: "returned", value: undefined }));
  });
}

/** The reason of a signal at a time limit has the name that `AbortSignal.timeout()` gives it. */
function lateReason(message: string): DOMException {
  return new DOMException(message, "TimeoutError");
}

/** Functions of tools that were warned about. */
const warned = new WeakSet<object>();

/**
 * Warns once if a tool declares `idempotencyKey: "call"` and its function has ended without `ctx.idempotencyKey`: after
 * a crash the call is repeated, and the service cannot know that it is the same one [tool.field.idempotency-key.unread].
 */
function warnAboutUnreadKey({ keyIsRead }: Execution, call: PipelineCall, tool: ResolvedTool): void {
  const { idempotencyKey, lookup, execute, composition, runsOn } = tool;
  if (idempotencyKey !== "call" || keyIsRead || lookup !== undefined || composition !== undefined) return;
  // A sandbox gets the key as a value, and a client runs its tools itself.
  if (typeof execute !== "function" || runsOn === "client" || warned.has(execute)) return;
  warned.add(execute);
  call.run.logger.warn(
    `"${tool.name}" declares idempotencyKey: "call", but its execute did not read ctx.idempotencyKey. After a crash the call is repeated: give the key to the service, or leave idempotencyKey out, so that a person is asked first.`,
  );
}
