import { failUnstarted, isSettled, permitOf, placeOf, toolOf, type Batch, type PipelineCall } from "./call.ts";
import { followEarlier } from "./deduplicate.ts";
import { execute } from "./execute.ts";
import { permit } from "./permit.ts";
import { isStillShown } from "./preview.ts";
import { presentFinished } from "./present.ts";
import { parsedHash } from "./validate.ts";

const defaultConcurrency = 8;

function isHandoff({ tool }: PipelineCall): boolean {
  return (tool?.composition as { readonly kind?: string } | undefined)?.kind === "handoff";
}

/** A conversation is handed over after the other calls of the turn. */
function handoffsLast(calls: readonly PipelineCall[]): readonly PipelineCall[] {
  return calls.some(isHandoff) ? [...calls.filter((call) => !isHandoff(call)), ...calls.filter(isHandoff)] : calls;
}

/**
 * Runs the calls that were permitted, in the model's order and at most `toolConcurrency` at once. A sequential call
 * waits for every call before it, also for calls that wait for a person, and every call after it waits for it.
 *
 * @throws the error of the journal, after running calls were stopped.
 */
export async function runReady(batch: Batch): Promise<void> {
  const { run } = batch;
  const limit = Math.max(1, run.settings.toolConcurrency ?? defaultConcurrency);
  const running = new Set<Promise<void>>();
  const started: Started = new Map();
  let failed: { readonly error: unknown } | undefined;
  const crash = (error: unknown): void => {
    failed ??= { error };
    stopBatch(batch, { reason: "failed", error });
  };
  const begin = (call: PipelineCall): Promise<void> => {
    const work = runOne(call, started)
      .catch(crash)
      .finally(() => {
        running.delete(work);
        // A writer's outcome is committed while other calls run; the last outcome is committed with the results.
        if (running.size > 0 && toolOf(call).__isJournaledFirst && failed === undefined)
          run.journal.commit().catch(crash);
      });
    running.add(work);
    started.set(call, work);
    return work;
  };
  const calls = handoffsLast(batch.calls);
  for (const [index, call] of calls.entries()) {
    const alone = isSequential(call);
    while (running.size >= limit || (alone && running.size > 0)) await Promise.race(running);
    if (failed !== undefined) break;
    if (call.phase === "ready" && batch.stopped !== undefined) failUnstarted(call);
    if (alone && calls.slice(0, index + 1).some(isWaiting)) break;
    if (call.phase !== "ready") continue;
    const work = begin(call);
    if (!alone) continue;
    await work;
    if (isWaiting(call)) break;
  }
  await Promise.all(running);
  if (failed !== undefined) throw failed.error;
}

/** The work of the calls of a batch that were started. */
type Started = Map<PipelineCall, Promise<void>>;

/** True if a call waits, itself or for an earlier one with the same key that waits. */
function isWaiting({ phase, permit }: PipelineCall): boolean {
  return phase === "waiting" || permit?.waitsFor?.phase === "waiting";
}

function isSequential(call: PipelineCall): boolean {
  return call.tool?.executionMode === "sequential";
}

/** Runs one call, after an earlier one with the same key. Intents of calls that start together share one commit. */
async function runOne(call: PipelineCall, started: Started): Promise<void> {
  const { batch, run } = call;
  for (let earlier = call.permit?.waitsFor; earlier !== undefined; earlier = call.permit?.waitsFor) {
    await started.get(earlier);
    // It runs when the earlier call was decided.
    if (isWaiting(earlier)) return;
    await followEarlier(call);
  }
  if (call.phase !== "ready") return;
  if (batch.stopped !== undefined) return failUnstarted(call);
  // The person approved what the preview showed: if that is another thing now, the person is asked again.
  while (toolOf(call).preview !== undefined && !(await isStillShown(call))) {
    if (isSettled(call)) return;
    call.permit = undefined;
    call.permit = await permit(call);
    if (call.permit === undefined) return;
  }
  const isIntended = recordIntent(call);
  // The commit of the intents begins before an outcome of this tick: a run that is given back drops its last records,
  // and intents that have not started are among them.
  await Promise.resolve();
  if (isIntended) {
    await run.journal.commit();
    if (batch.stopped !== undefined) return failUnstarted(call);
  }
  await (isHandoff(call) ? handOver(call) : execute(call));
}

/** The agent that takes over reads the other calls' results as the model would: guarded, sanitized, without secrets. */
async function handOver(call: PipelineCall): Promise<void> {
  await presentFinished(call.batch.calls);
  await execute(call);
}

/** Stops a batch: no further call starts, and running calls get the abort signal. */
export function stopBatch(batch: Batch, stopped: NonNullable<Batch["stopped"]>): void {
  if (batch.stopped !== undefined) return;
  batch.stopped = stopped;
  const waiting = Array.from(batch.onStop);
  for (const stop of waiting) stop();
}

/** Journals that a writer or a contained tool is about to run. It only runs when this is on disk. Readers leave no intent. */
function recordIntent(call: PipelineCall): boolean {
  const tool = toolOf(call);
  if (!tool.__isJournaledFirst) return false;
  const grant = call.flow?.shadow === true ? undefined : call.flow?.grant;
  const { approval } = call.state;
  const { attempt, idempotencyKey, approvalId } = permitOf(call);
  call.run.journal.record({
    type: "tool.intent",
    ...placeOf(call),
    argsHash: call.argsHash,
    attempt,
    sideEffectClass: tool.__sideEffectClass,
    idempotencyKey,
    inputHash: idempotencyKey === undefined ? undefined : parsedHash(call),
    approvalId: approvalId ?? (approval?.decision?.type === "approve" ? approval.interruption.id : undefined),
    grant,
  });
  return true;
}
