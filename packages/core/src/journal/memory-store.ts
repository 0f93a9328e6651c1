import type { Clock } from "../contracts/ports/clock.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import type { Ids } from "../contracts/ports/ids.ts";
import type { Ledger } from "../contracts/ports/ledger.ts";
import type { Outbox } from "../contracts/ports/outbox.ts";
import type { RunStore } from "../contracts/ports/run-store.ts";
import type { SessionStore } from "../contracts/ports/session-store.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { checkKnownNames } from "../errors/value-checks.ts";
import { defaultHasher, systemClock } from "./default-ports.ts";
import { runLedger } from "./memory-ledger.ts";
import { lateMethods } from "../loading/lazy-part.ts";
import { memoryPart, type MemoryPart } from "./memory-part.ts";
import { joinedSessions } from "./memory-sessions.ts";
import type { MemoryRuns } from "./memory/runs.ts";

const methods = [
  "create",
  "acquire",
  "claim",
  "requeue",
  "queueDepth",
  "append",
  "renew",
  "release",
  "signal",
  "takeSignals",
  "load",
  "get",
  "getRun",
  "listRuns",
  "searchRuns",
  "countRuns",
  "deleteRun",
  "putBlob",
  "getBlob",
  "claimSession",
  "deleteSession",
] as const satisfies readonly (keyof MemoryRuns)[];

/** Options of `memoryStore`; all have defaults. */
export interface MemoryStoreOptions {
  /** Shown in errors; default `memory`. */
  readonly name?: string | undefined;
  /** Clock for leases; default the system's. */
  readonly clock?: Clock | undefined;
  /** Hash that names blobs; default the platform's SHA-256. */
  readonly hasher?: Hasher | undefined;
  /** Ids of branched and imported sessions; default random. */
  readonly ids?: Ids | undefined;
  /**
   * Maximum number of ended runs; beyond it, those that ended first are deleted, with what belongs to them: the runs
   * inside their calls, their results under idempotency keys, and a session of whose runs the store has none any more.
   * Default: no limit.
   */
  readonly keepEnded?: number | undefined;
}

/** A run store with its ledger, sessions and outbox, all in memory. */
export interface MemoryRunStore extends RunStore {
  readonly ledger: Ledger;
  readonly sessions: SessionStore;
  readonly outbox: Outbox;
}

/**
 * Runs, ledger, sessions, outbox and blobs in memory: they end with the process. Callers get frozen copies of records,
 * and the hash chain is computed on export.
 *
 * @param options - Clock, hasher, ids, name, and how many ended runs are kept.
 * @throws ConfigurationError `INVALID_OPTION` if `keepEnded` is not a whole number of 0 or more.
 * @example
 * ```ts
 * import { memoryStore } from "@bailiwick/core";
 *
 * export const store = memoryStore();
 * ```
 */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryRunStore {
  checkKnownNames(options, ["name", "clock", "hasher", "ids", "keepEnded"], "memoryStore()");
  const { name = "memory", clock = systemClock, keepEnded } = options;
  if (keepEnded !== undefined && !(Number.isInteger(keepEnded) && keepEnded >= 0)) {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `memoryStore: "keepEnded" is ${keepEnded}: give a whole number of 0 or more.`,
    );
  }
  const hasher = options.hasher ?? defaultHasher();
  const joinedLedger = runLedger(clock);
  const joined = joinedSessions(clock, options.ids);
  const signalled = new Map<string, Set<() => void>>();
  const ready = new Set<() => void>();
  const { claimSession, deleteSession, ...runs } = lateMethods<MemoryPart, MemoryRuns, (typeof methods)[number]>(
    memoryPart,
    methods,
    ({ runRows }) =>
      runRows({
        name,
        clock,
        hasher,
        ledger: joinedLedger,
        sessions: joined,
        keepEnded,
        tell: (runId) => call(signalled.get(runId)),
        tellReady: () => call(ready),
      }),
  );
  const { join: _join, forget: _dropSession, kindOf: _kind, ...sessions } = joined;
  const { forget: _dropRows, ...ledger } = joinedLedger;
  return {
    name,
    durable: false,
    ledger,
    sessions: { ...sessions, claim: claimSession, delete: deleteSession },
    outbox: lateMethods<MemoryPart, Outbox, keyof Outbox>(
      memoryPart,
      ["add", "take", "settle", "waiting"],
      ({ memoryOutbox }) => memoryOutbox(clock),
    ),
    ...runs,
    onReady(callback) {
      ready.add(callback);
      return () => ready.delete(callback);
    },
    subscribe(runId, callback) {
      const callbacks = signalled.get(runId) ?? new Set();
      signalled.set(runId, callbacks.add(callback));
      return () => {
        callbacks.delete(callback);
        if (callbacks.size === 0 && signalled.get(runId) === callbacks) signalled.delete(runId);
      };
    },
  };
}

function call(callbacks: Iterable<() => void> = []): void {
  for (const callback of callbacks) callback();
}
