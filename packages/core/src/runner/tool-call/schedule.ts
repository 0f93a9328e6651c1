import { failUnstarted, placeOf, toolOf, type Batch, type MaybePromise, type PipelineCall } from "./call.ts";
import { followEarlier } from "./deduplicate.ts";
import { execute } from "./execute.ts";
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
 * Runs the calls that passed their gate, in the model's order and at most `toolConcurrency` at once. A sequential call
 * waits for every call before it, also for calls that wait for a person, and every call after it waits for it.
 *
 * @returns `undefined` if all of them ended synchronously. The promise rejects if the journal failed, after running
 * calls were stopped.
 */
export function runReady(batch: Batch): MaybePromise<void> {
  const { run } = batch;
  const calls = handoffsLast(batch.calls);
  const limit = Math.max(1, run.settings.toolConcurrency ?? defaultConcurrency);
  let next = 0;
  let active = 0;
  let sequentialActive = false;
  let waitingBefore = false;
  let held = false;
  let pumping = false;
  let failed: { readonly error: unknown } | undefined;
  let settle: (() => void) | undefined;

  const crash = (error: unknown): void => {
    failed ??= { error };
    stopBatch(batch, { reason: "failed", error });
  };

  /** The next call that may start now. */
  const take = (): PipelineCall | undefined => {
    while (next < calls.length && !held && failed === undefined) {
      const call = calls[next];
      if (call === undefined) return undefined;
      if (call.phase !== "ready") {
        waitingBefore ||= call.phase === "waiting";
        held = call.phase === "waiting" && isSequential(call);
        next += 1;
        continue;
      }
      if (batch.stopped !== undefined) {
        failUnstarted(call);
        next += 1;
        continue;
      }
      const sequential = isSequential(call);
      if (sequential && waitingBefore) {
        held = true;
        return undefined;
      }
      if (sequentialActive || active >= limit || (sequential && active > 0)) return undefined;
      if (call.waitsFor?.phase === "ready") return undefined;
      if (call.waitsFor?.phase === "waiting") {
        // The call waits until the earlier call with the same key is decided.
        waitingBefore = true;
        next += 1;
        continue;
      }
      next += 1;
      active += 1;
      sequentialActive = sequential;
      return call;
    }
    return undefined;
  };

  const ended = (call: PipelineCall): void => {
    active -= 1;
    if (isSequential(call)) sequentialActive = false;
    if (call.phase === "waiting") {
      waitingBefore = true;
      if (isSequential(call)) held = true;
    }
  };

  const begin = (call: PipelineCall, committed: Promise<void> | undefined): void => {
    let work: MaybePromise<void>;
    try {
      work = committed === undefined ? runOne(call) : committed.then(() => runOne(call));
    } catch (error) {
      work = Promise.reject(error);
    }
    if (!(work instanceof Promise)) {
      ended(call);
      return;
    }
    const wasWriter = toolOf(call).__isWriter;
    const goOn = (): void => {
      ended(call);
      const committing = pump();
      // A writer's outcome is committed while other calls run; the last outcome is committed with
      // the results.
      if (wasWriter && active > 0 && !committing && failed === undefined) run.journal.commit().catch(crash);
      if (active === 0) settle?.();
    };
    void work.then(goOn, (error: unknown) => {
      crash(error);
      goOn();
    });
  };

  /** Starts every call that may start; the intents of calls that start together share one commit. */
  function pump(): boolean {
    if (pumping) return false;
    pumping = true;
    let committing = false;
    for (let wave = takeWave(); wave.length > 0; wave = takeWave()) {
      const writers = wave.map((call) => call.waitsFor === undefined && recordIntent(call));
      const committed = writers.includes(true) ? run.journal.commit() : undefined;
      committing ||= committed !== undefined;
      wave.forEach((call, index) => begin(call, writers[index] === true ? committed : undefined));
    }
    pumping = false;
    return committing;
  }

  function takeWave(): PipelineCall[] {
    const wave: PipelineCall[] = [];
    for (let call = take(); call !== undefined; call = take()) wave.push(call);
    return wave;
  }

  pump();
  if (active === 0) {
    if (failed !== undefined) return Promise.reject(failed.error);
    return undefined;
  }
  return new Promise<void>((resolve, reject) => {
    settle = () => (failed === undefined ? resolve() : reject(failed.error));
  });
}

function isSequential(call: PipelineCall): boolean {
  return call.tool?.executionMode === "sequential";
}

/** Runs one call; if an earlier call has the same key, waits for its result first. */
function runOne(call: PipelineCall): MaybePromise<void> {
  if (call.batch.stopped !== undefined) return failUnstarted(call);
  if (call.waitsFor !== undefined) return runAfterEarlier(call);
  return isHandoff(call) ? handOver(call) : execute(call);
}

/** The agent that takes over reads the other calls' results as the model would: guarded, sanitized, without secrets. */
async function handOver(call: PipelineCall): Promise<void> {
  await presentFinished(call.batch.calls);
  await execute(call);
}

async function runAfterEarlier(call: PipelineCall): Promise<void> {
  await followEarlier(call);
  if (call.phase !== "ready") return;
  if (recordIntent(call)) await call.run.journal.commit();
  await execute(call);
}

/** Stops a batch: no further call starts, and running calls get the abort signal. */
export function stopBatch(batch: Batch, stopped: NonNullable<Batch["stopped"]>): void {
  if (batch.stopped !== undefined) return;
  batch.stopped = stopped;
  const waiting = Array.from(batch.onStop);
  for (const stop of waiting) stop();
}

/** Journals that a writer is about to run. It only runs when this is on disk. Readers leave no intent. */
function recordIntent(call: PipelineCall): boolean {
  const tool = toolOf(call);
  if (!tool.__isWriter) return false;
  const grant = call.flow?.shadow === true ? undefined : call.flow?.grant;
  const { approval } = call.state;
  const approvalId = call.approvalId ?? (approval?.decision?.type === "approve" ? approval.interruption.id : undefined);
  call.run.journal.record({
    type: "tool.intent",
    ...placeOf(call),
    argsHash: call.argsHash,
    attempt: call.attempt,
    sideEffectClass: tool.__sideEffectClass,
    idempotencyKey: call.idempotencyKey,
    inputHash: call.idempotencyKey === undefined ? undefined : parsedHash(call),
    approvalId,
    grant,
  });
  return true;
}
