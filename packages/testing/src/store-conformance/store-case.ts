import assert from "node:assert/strict";
import { BailiwickError } from "@bailiwick/core";
import type { ClaimRequest, JournalEvent, Lease, RunRecord, RunStore, Session, Signal } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";

/** A store under test, empty. */
export interface StoreUnderTest {
  /** The store to test. */
  readonly store: RunStore;
  /** Opens the same data again, as another process would; absent if data ends with its store object. */
  readonly again?: (() => RunStore | Promise<RunStore>) | undefined;
  /** Called at the end of the case. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/** Makes an empty store; called for each case. */
export type CreateStore = () => StoreUnderTest | Promise<StoreUnderTest>;

/** Differences of a store. */
export interface StoreTraits {
  /** Number of random runs of each property. Default 30. */
  readonly runs?: number | undefined;
  /**
   * Duration of a lease that should expire, in milliseconds. Default 30; more for stores with slow clocks or networks.
   */
  readonly shortTtlMs?: number | undefined;
}

/** Options of the cases. */
export interface StoreSetup {
  readonly createStore: CreateStore;
  readonly runs: number;
  readonly shortTtlMs: number;
}

/** Duration of a lease that does not expire within a case, in milliseconds. */
export const longTtlMs = 60_000;

/** A case with its own store. */
export function storeCase(
  setup: StoreSetup,
  name: string,
  run: (store: RunStore, under: StoreUnderTest) => Promise<void>,
): ConformanceCase {
  return {
    name,
    async run() {
      const under = await setup.createStore();
      try {
        await run(under.store, under);
      } finally {
        await under.dispose?.();
      }
    },
  };
}

/** A run to be created. */
export function runRecord(id: string, fields: Partial<RunRecord> = {}): RunRecord {
  return { id, agentId: "agent", definitionHash: "d1", sessionId: "s1", input: "hello", ...fields };
}

/** Records after a head, with their own keys. */
export function records(runId: string, afterSeq: number, count: number, text = "text"): JournalEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const seq = afterSeq + 1 + index;
    return {
      type: "hook.failed",
      seq,
      at: 1,
      key: `hook.failed#${seq}`,
      label: "system",
      runId,
      hook: text,
      error: { name: "Error", code: "ERROR", message: `${seq}` },
    };
  });
}

/** A record that takes a signal from the inbox. */
export function takenRecord(runId: string, seq: number, signal: Signal): JournalEvent {
  return { type: "signal.taken", seq, at: 1, key: `signal.taken#${seq}`, label: "user", runId, signal };
}

/** Creates a run and acquires its lease. */
export async function createAndAcquire(store: RunStore, runId = "r1", fields: Partial<RunRecord> = {}): Promise<Lease> {
  await store.create(runRecord(runId, fields));
  return acquired(store, runId);
}

/** Acquires a lease that must be free. */
export async function acquired(
  store: RunStore,
  runId: string,
  owner = "owner-1",
  ttlMs: number = longTtlMs,
): Promise<Lease> {
  const lease = await store.acquire(runId, owner, ttlMs);
  assert.ok(lease, `the lease on ${runId} is free`);
  return lease;
}

/** Claims all runs that can be claimed, and returns their ids. */
export async function claimedIds(store: RunStore, more: Partial<ClaimRequest> = {}): Promise<readonly string[]> {
  const { runs } = await store.claim({
    owner: "worker-1",
    ttlMs: longTtlMs,
    limit: 50,
    agents: [{ agentId: "agent" }],
    maxAttempts: 5,
    suspects: false,
    ...more,
  });
  return runs.map(({ run }) => run.id);
}

/** Appends, and advances the lease's head. */
export async function appended(store: RunStore, lease: Lease, events: readonly JournalEvent[]): Promise<Lease> {
  return { ...lease, head: await store.append(lease, events) };
}

/** A session without its version, whose number each store chooses. */
export function unversioned({ version: _version, ...session }: Session): Session {
  return session;
}

/** Waits until a lease of the short duration has expired by any clock. */
export async function expire(setup: StoreSetup): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, setup.shortTtlMs * 2));
}

/** Expects a rejection with an error of this framework. */
export async function rejectsWith(promise: Promise<unknown>, code: string, what: string): Promise<void> {
  await assert.rejects(promise, (error: unknown) => {
    assert.ok(BailiwickError.isInstance(error), `${what}: a typed error, not ${String(error)}`);
    assert.equal(error.code, code, what);
    return true;
  });
}
