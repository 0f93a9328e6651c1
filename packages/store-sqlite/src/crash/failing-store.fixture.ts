import type { JournalEvent, RunStore } from "@bailiwick/core";
import { killAt, killHere } from "./world.fixture.ts";
import type { Failpoint } from "./world.fixture.ts";

/** Boundaries of the store: appended records, and the calls around them. */
export const boundaries: readonly string[] = [
  "create",
  "acquire",
  "run.start",
  "model.intent",
  "model.result",
  "tool.call",
  "tool.approval.requested",
  "signal.taken",
  "tool.approval.decided",
  "tool.intent",
  "effect",
  "tool.outcome",
  "tool.result",
  "run.end",
  "release",
];

/** A store that kills its process before, during or after a boundary, and whose leases expire soon. */
export function failingStore(store: RunStore, failpoint: Failpoint | undefined, ttlMs: number): RunStore {
  const around = async <T>(names: readonly string[], work: () => Promise<T>): Promise<T> => {
    for (const name of names) killAt(failpoint, `before ${name}`);
    const working = work();
    // The write is on its way to the database, arrived, or written without an answer.
    if (names.some((name) => failpoint === `during ${name}`)) setImmediate(() => setImmediate(killHere));
    const value = await working;
    for (const name of names) killAt(failpoint, `after ${name}`);
    return value;
  };
  return {
    ...store,
    create: (record, holder) => around(["create"], () => store.create(record, holder && { ...holder, ttlMs })),
    acquire: (runId, owner, _ttlMs, under) => around(["acquire"], () => store.acquire(runId, owner, ttlMs, under)),
    append: (lease, events, attachments) =>
      around([...new Set(events.map((event: JournalEvent) => event.type))], () =>
        store.append(lease, events, attachments),
      ),
    claim: (request) => around(["acquire"], () => store.claim({ ...request, ttlMs })),
    renew: (leases) => store.renew(leases, ttlMs),
    release: (lease, next, session) => around(["release"], () => store.release(lease, next, session)),
  };
}
