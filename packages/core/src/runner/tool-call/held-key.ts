import type { isEnded } from "../../contracts/stop-reason.ts";
import type { LedgerKey, LedgerRow } from "../../contracts/ports/ledger.ts";
import type { StoredRun } from "../../contracts/ports/stored-run.ts";
import type { fail, finish, pause, scrubbed, PipelineCall } from "./call.ts";
import type { effectiveTimeoutMs } from "./execution.ts";
import type { askLookup } from "./lookup.ts";

/** First delay between two checks of a key that another run holds, in milliseconds; doubled each time. */
const firstLookMs = 50;
const longestLookMs = 1_000;

/** A call that needs a key which another run holds. */
export interface KeyWait {
  /** Waits a moment, or frees the key of a run whose process is gone. A call whose wait is over is failed. */
  look(held: LedgerRow): Promise<void>;
  /** Settles the effect of the run that had the key, after this call has got it. */
  settle(): Promise<void>;
}

/** Functions of the runner, handed over: an import would move them into the file that every program loads first. */
export interface RunnerWays {
  readonly fail: typeof fail;
  readonly finish: typeof finish;
  readonly pause: typeof pause;
  readonly scrubbed: typeof scrubbed;
  readonly effectiveTimeoutMs: typeof effectiveTimeoutMs;
  readonly askLookup: typeof askLookup;
  readonly isEnded: typeof isEnded;
  /** The code of an error of the framework. */
  readonly codeOf: (error: unknown) => string | undefined;
}

/**
 * Waits for a key that another run holds: at most for the time limit of the tool and a lease, so that the lease of a dead
 * process expires meanwhile.
 */
export function waitForKey(call: PipelineCall, key: LedgerKey, ways: RunnerWays): KeyWait {
  const { run, toolName } = call;
  const { fail, finish, pause, scrubbed, effectiveTimeoutMs, askLookup } = ways;
  const patienceMs = Math.max(effectiveTimeoutMs(call), firstLookMs) + run.agent.keeper.leaseMs;
  let waited = 0;
  let delay = firstLookMs;
  let former: string | undefined;
  const note = (code: string, message: string): void => {
    run.warn({ code, message, subject: call.toolCallId });
    run.logger.warn(message, { runId: run.runId });
  };

  return {
    async look(held) {
      const holder = await holderOf(call, held, ways);
      if (holder === "gone") {
        former = held.runId;
        await run.agent.ledger.release(key, held.runId);
        return note(
          "idempotency_key_taken",
          `Run "${held.runId}" held the idempotency key of "${toolName}", and its process is gone. The call runs here. Resume run "${held.runId}": it gets the same result.`,
        );
      }
      if (holder === "driven" && waited < patienceMs) {
        if (waited === 0)
          note(
            "idempotency_key_held",
            `"${toolName}" waits: run "${held.runId}" holds its idempotency key. Its result is used here. If its process is gone, this run makes the call as soon as the lease has expired.`,
          );
        await pause(call, delay);
        waited += delay;
        delay = Math.min(delay * 2, longestLookMs);
        return;
      }
      const state = holder === "driven" ? "is still executing the call" : `is ${holder}`;
      note(
        "idempotency_key_not_free",
        `"${toolName}" did not run: run "${held.runId}" holds its idempotency key and ${state}. Let that run end, then call "${toolName}" again for its result.`,
      );
      fail(
        call,
        "execution_failed",
        `Another run began "${toolName}" with the same idempotency key and ${state}. Nothing ran here. Try again later for its result.`,
        { code: "IDEMPOTENCY_IN_PROGRESS", recoveryHint: "retry_later" },
      );
    },
    async settle() {
      if (former === undefined || call.idempotencyKey === undefined) return;
      const answer = await askLookup(call, call.idempotencyKey);
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

/** The state of the run that holds a key: `gone` if it will not end the call unless it is resumed. */
async function holderOf(
  { run }: PipelineCall,
  held: LedgerRow,
  ways: RunnerWays,
): Promise<"driven" | "gone" | "suspended" | "sleeping"> {
  const { ledger, store } = run.agent;
  // The run is unknown to a store with another ledger.
  if (ledger !== store.ledger || held.runId === run.runId) return "driven";
  const found = await store.getRun(held.runId);
  if (found === undefined || ways.isEnded(found.state) || found.state === "stuck") return "gone";
  if (found.state === "suspended" || found.state === "sleeping") return found.state;
  // A worker continues a queued run.
  return found.state === "running" && (await isFenced(run.agent, found, ways)) ? "gone" : "driven";
}

/**
 * Takes an expired lease, so that a process that only seemed to be gone can no longer write. The new lease expires at
 * once: the run is found and resumed as before.
 */
async function isFenced(
  { store, owner }: PipelineCall["run"]["agent"],
  { id, epoch, head }: StoredRun,
  { codeOf }: RunnerWays,
): Promise<boolean> {
  try {
    const lease = await store.acquire(id, owner, 1);
    return lease !== null && lease.epoch === epoch + 1 && lease.head.seq === head.seq;
  } catch (error) {
    // Only one run of a session is driven, and this one is.
    if (codeOf(error) === "SESSION_BUSY") return true;
    throw error;
  }
}
