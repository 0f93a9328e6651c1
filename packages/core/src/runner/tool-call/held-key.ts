import { callerOf } from "../caller/caller.ts";
import { isEnded } from "../../contracts/stop-reason.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import type { LedgerKey, LedgerRow } from "../../contracts/ports/ledger.ts";
import type { RunStore } from "../../contracts/ports/run-store.ts";
import type { StoredRun } from "../../contracts/ports/stored-run.ts";
import { fail, finish, pause, placeOf, scrubbed, toolOf, wait, type PipelineCall } from "./call.ts";
import { effectiveTimeoutMs } from "./execution.ts";
import type { LookupResult } from "../../contracts/tool.ts";
import { askUserCode, askUserCodeNow } from "../../user-code/call-user-code.ts";
import { ownAnswer, ownCopy } from "../../user-code/copies.ts";
import { expected, reasonOf, reportFailure } from "../hooks/hook-failures.ts";
import { limitsOf } from "../hooks/hooks-runner.ts";
import { lookupContext } from "./tool-context.ts";

/** First delay between two checks of a key that another run holds, in milliseconds; doubled each time. */
const firstLookMs = 50;
const longestLookMs = 1_000;
/** First time for which the run sleeps until the next check; doubled each time. */
const firstSleepMs = 5_000;
const longestSleepMs = 5 * 60_000;

/** A call that needs a key which another call holds. */
export type KeyWait = ReturnType<typeof waitForKey>;

/**
 * Waits for a key that another run holds. The process waits while that run is driven, at most for the time limit of the
 * tool and a lease, so that the lease of a dead process expires meanwhile. After that, and at once if that run waits for
 * a person or sleeps, the call sleeps, and the run with it. The reservation of a key expires, so no wait is endless.
 */
export function waitForKey(
  call: PipelineCall,
  key: LedgerKey,
): {
  look(held: LedgerRow): Promise<PipelineCall | undefined>;
  settle(idempotencyKey: string): Promise<void>;
} {
  const { run, toolName } = call;
  const patienceMs = Math.max(effectiveTimeoutMs(call), firstLookMs) + run.agent.keeper.leaseMs;
  let waited = 0;
  let delay = firstLookMs;
  let former: string | undefined;
  const note = (code: string, message: string): void => {
    run.warn({ code, message, subject: call.toolCallId });
    run.logger.warn(message, { runId: run.runId });
  };
  const sleep = (held: LedgerRow, words: string): void => {
    const sleepMs = Math.min(firstSleepMs * 2 ** (call.state.keySleeps ?? 0), longestSleepMs);
    const wakeAt = Math.min(run.clock.now() + sleepMs, held.expiresAt);
    run.journal.record({
      type: "sleep.begun",
      ...placeOf(call),
      sleepKey: "idempotency key",
      wakeAt,
      keyHeldBy: held.runId,
    });
    wait(call);
    callerOf(run.options.parent)?.noteKeyWait(held.runId);
    note(
      "idempotency_key_asleep",
      `"${toolName}" waits, and this run sleeps: run "${held.runId}" holds its idempotency key and ${words}. When that run has ended, this run continues with its result, or makes the call if there is none. A worker, or resume(), looks again at ${new Date(wakeAt).toISOString()}.`,
    );
  };

  return {
    /**
     * Waits a moment, frees the key of a run whose process is gone, or lets the call sleep in the journal.
     *
     * @returns an earlier call of the turn that has the key.
     */
    async look(held) {
      const holder = await holderOf(call, held);
      const isDriven = holder === "driven" || holder === "unknown";
      if (holder === "gone") {
        former = held.runId;
        await run.agent.ledger.release(key, held.runId);
        note(
          "idempotency_key_taken",
          `Run "${held.runId}" held the idempotency key of "${toolName}", and its process is gone. The call runs here. Resume run "${held.runId}": it gets the same result.`,
        );
        return undefined;
      }
      if (isDriven && waited < patienceMs) {
        if (waited === 0)
          note(
            "idempotency_key_held",
            `"${toolName}" waits: run "${held.runId}" holds its idempotency key. Its result is used here. If its process is gone, this run makes the call as soon as the lease has expired.`,
          );
        await pause(call, delay);
        waited += delay;
        delay = Math.min(delay * 2, longestLookMs);
        return undefined;
      }
      if (holder === "inside") {
        fail(
          call,
          "execution_failed",
          `"${toolName}" has the same idempotency key as the call of run "${held.runId}" that contains it, so nothing ran. The two calls need different keys.`,
          { code: "IDEMPOTENCY_IN_PROGRESS", recoverable: false, recoveryHint: "report_to_user" },
        );
        return undefined;
      }
      const earlier = call.batch.calls.find(({ key: other }) => held.runId === run.runId && other === held.callKey);
      if (earlier !== undefined && earlier.index < call.index) return earlier;
      sleep(held, holderWords[holder]);
      return undefined;
    },
    /** Settles the effect of the run that had the key, after this call has got it. */
    async settle(idempotencyKey) {
      if (former === undefined) return;
      const answer = await askLookup(call, idempotencyKey);
      if (answer === undefined || answer.status === "absent") return;
      if (answer.status === "done") return finish(call, { output: scrubbed(call, answer.output), durationMs: 0 });
      fail(
        call,
        "unknown_outcome",
        `The run that began "${toolName}" with the same idempotency key lost its process, and it is not known whether the call took effect. Nothing ran here. Resume run "${former}", which asks a person.`,
        { effectHappened: "unknown" },
      );
    },
  };
}

type Holder = "driven" | "unknown" | "gone" | "suspended" | "sleeping" | "inside" | "same run";

/** Words for the state of a holder, in the warning of a run that sleeps until the holder has ended. */
const holderWords: { readonly [H in Exclude<Holder, "gone" | "inside">]: string } = {
  driven: "is still executing its call",
  unknown:
    "is not in the store of this run, so its state is not known; its key expires with the `idempotencyTtlMs` of the tool",
  suspended: "waits for a person",
  sleeping: "sleeps",
  "same run": "waits",
};

/**
 * The state of the run that holds a key: `gone` if it will not end the call unless it is resumed, `inside` if this run
 * is inside that call. With a separate ledger, the holder may be in another store: its state is not known then.
 */
async function holderOf({ run }: PipelineCall, held: LedgerRow): Promise<Holder> {
  const { ledger, store } = run.agent;
  if (held.runId === run.runId) return "same run";
  const found = await store.getRun(held.runId);
  if (found === undefined) return ledger === store.ledger ? "gone" : "unknown";
  if (isEnded(found.state) || found.state === "stuck") return "gone";
  if (await isInside(store, run.runId, held.runId)) return "inside";
  if (found.state === "suspended" || found.state === "sleeping") return found.state;
  // A worker continues a queued run.
  return found.state === "running" && (await isFenced(run.agent, found)) ? "gone" : "driven";
}

/** True if a run is inside a call of another run, at any depth. */
async function isInside(store: RunStore, runId: string, outerId: string): Promise<boolean> {
  let parent = (await store.getRun(runId))?.parent;
  while (parent !== undefined && parent.runId !== outerId) parent = (await store.getRun(parent.runId))?.parent;
  return parent !== undefined;
}

/**
 * Takes an expired lease, so that a process that only seemed to be gone can no longer write. The new lease expires at
 * once: the run is found and resumed as before.
 */
async function isFenced(
  { store, owner }: PipelineCall["run"]["agent"],
  { id, epoch, head }: StoredRun,
): Promise<boolean> {
  try {
    const lease = await store.acquire(id, owner, 1);
    return lease !== null && lease.epoch === epoch + 1 && lease.head.seq === head.seq;
  } catch (error) {
    // Only one run of a session is driven, and this one is.
    if (BailiwickError.isInstance(error) && error.code === "SESSION_BUSY") return true;
    throw error;
  }
}

/** The answer of a tool's `lookup`; a failed one is reported, with the reason as a person reads it. */
export type LookupAnswer = LookupResult | { readonly status: "failed"; readonly reason: string };

/**
 * Asks the tool's `lookup` whether an effect with this key took place; `undefined` if it has none, or if the run was
 * stopped meanwhile.
 */
export async function askLookup(call: PipelineCall, key: string): Promise<LookupAnswer | undefined> {
  const { lookup } = toolOf(call);
  if (lookup === undefined) return undefined;
  const { run } = call;
  // A fake has no effect that the service could know.
  if (run.options.fakes !== undefined) return { status: "absent" };
  const asked = await askUserCode(
    () => lookup(key, ownCopy(call.input), lookupContext(call, key)),
    limitsOf(run, "lookup", effectiveTimeoutMs(call)),
  );
  const read = asked.ok ? askUserCodeNow("lookup", () => readLookup(asked.value)) : asked;
  if (read.ok) return read.value;
  if (read.stopped) return undefined;
  reportFailure(run, `lookup of ${call.toolName}`, read.error, "It stays unknown whether the call took effect.");
  return { status: "failed", reason: `its "lookup" failed (${reasonOf(call, read.error)})` };
}

function readLookup(answer: LookupResult): LookupResult {
  const copied = ownAnswer(answer);
  const known = ["done", "absent", "unknown"].includes((copied as Partial<LookupResult> | undefined)?.status ?? "");
  return expected("lookup", '{ status: "done", output }, { status: "absent" } or { status: "unknown" }', known, copied);
}
