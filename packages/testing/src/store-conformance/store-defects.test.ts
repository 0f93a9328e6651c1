import { memoryStore } from "@bailiwick/core";
import type { MemoryRunStore } from "@bailiwick/core";
import { expect, test } from "vitest";
import { storeConformance } from "./store-conformance.ts";

/** Stores that break one rule each. */
const defects: Readonly<Record<string, (store: MemoryRunStore) => Partial<MemoryRunStore>>> = {
  "hands a held run to a second owner": (store) => ({
    acquire: async (runId, owner, ttlMs) =>
      (await store.acquire(runId, owner, ttlMs)) ?? {
        runId,
        owner,
        epoch: 1,
        head: { seq: 0, hash: "" },
        expiresAt: 0,
      },
  }),
  "writes for a stale holder": (store) => ({
    append: async (lease, events, attachments) => {
      const run = await store.getRun(lease.runId);
      return store.append(lease, events, attachments).catch(() => run?.head ?? lease.head);
    },
  }),
  "forgets the last record of an append": (store) => ({
    append: async (lease, events, attachments) => {
      await store.append(lease, events.slice(0, -1), attachments);
      return { seq: lease.head.seq + events.length, hash: "" };
    },
  }),
  "takes no attachments along": (store) => ({ append: (lease, events) => store.append(lease, events) }),
  "always says that a lease is held": (store) => ({
    renew: async (leases, ttlMs) => (await store.renew(leases, ttlMs)).map((answer) => ({ ...answer, held: true })),
  }),
  "never says that signals wait": (store) => ({
    renew: async (leases, ttlMs) =>
      (await store.renew(leases, ttlMs)).map((answer) => ({ ...answer, signalsWaiting: false })),
  }),
  "delivers a signal twice": (store) => ({
    signal: async (runId, signal) => {
      await store.signal(runId, signal);
      await store.signal(runId, { ...signal, id: `${signal.id}-again` });
    },
  }),
  "ends a run with a message in its inbox": (store) => ({
    release: (lease, next, session) =>
      store.release(lease, next.state === "completed" ? { state: "completed" } : next, session),
  }),
  "shows the runs of other tenants": (store) => ({
    listRuns: async (filter) => [
      ...(await store.listRuns(filter)),
      ...(await store.listRuns({ ...filter, tenantId: "t1" })),
    ],
  }),
  "keeps the time at which a run settled when it is driven again": (store) => {
    const settled = new Map<string, number | undefined>();
    return {
      release: async (lease, next, session) => {
        await store.release(lease, next, session);
        settled.set(lease.runId, (await store.getRun(lease.runId))?.settledAt);
      },
      getRun: async (runId) => {
        const run = await store.getRun(runId);
        return run && { ...run, settledAt: settled.get(runId) };
      },
    };
  },
  "lists runs of all states when several are asked for": (store) => ({
    listRuns: ({ state, ...filter }) =>
      store.listRuns(Array.isArray(state) ? filter : { ...filter, ...(state !== undefined && { state }) }),
  }),
  "deletes a run whatever its epoch": (store) => ({ deleteRun: (runId) => store.deleteRun(runId) }),
  "makes a second run for an idempotency key": (store) => ({
    create: ({ idempotencyKey: _dropped, ...record }, holder) => store.create(record, holder),
  }),
  "leaves a run to the first process, though it was created with a holder": (store) => ({
    create: (record) => store.create(record),
  }),
  "leaves the session out of a release": (store) => ({ release: (lease, next) => store.release(lease, next) }),
  "reserves a key for everyone": (store) => ({
    ledger: { ...store.ledger, reserve: async (row) => (await store.ledger.put(row), { reserved: true }) },
  }),
  "adds a run's messages again": (store) => {
    let seq = 0;
    return {
      sessions: {
        ...store.sessions,
        append: (id, messages, run) => store.sessions.append(id, messages, { ...run, seq: (seq += 1) }),
      },
    };
  },
  "forgets at an import which runs joined a session": ({ sessions }) => ({
    sessions: sessions && {
      ...sessions,
      import: (text, options) => sessions.import(text.replace(/,"joined":.*/u, "}"), options),
    },
  }),
  "leaves the runs of a conversation that is deleted": ({ sessions }) => ({
    sessions: { ...sessions, delete: async () => ({ runs: 0, open: 0 }) },
  }),
  "gives a version of a session its newest texts": ({ sessions }) => ({
    sessions: { ...sessions, load: (id, options) => sessions.load(id, { ...options, asOf: undefined }) },
  }),
  "keeps the blobs of a run that is deleted": (store) => {
    const blobs = new Map<string, Uint8Array>();
    return {
      putBlob: async (bytes) => {
        const hash = await store.putBlob(bytes);
        blobs.set(hash, bytes.slice());
        return hash;
      },
      getBlob: async (hash) => blobs.get(hash)?.slice() ?? store.getBlob(hash),
    };
  },
  "deletes with a run the blob that another one just put": (store) => {
    let named: string[] = [];
    const gone = new Set<string>();
    return {
      putBlob: async (bytes) => {
        const hash = await store.putBlob(bytes);
        gone.delete(hash);
        return hash;
      },
      getBlob: async (hash) => store.getBlob(gone.has(hash) ? "0".repeat(64) : hash),
      append: async (lease, events, ledger) => {
        named = JSON.stringify(events).match(/[0-9a-f]{64}/g) ?? [];
        return store.append(lease, events, ledger);
      },
      deleteRun: async (runId) => {
        if (runId === "first") for (const hash of named) gone.add(hash);
        return store.deleteRun(runId);
      },
    };
  },
  "leaves the runs inside the calls of a run that is deleted": (store) => {
    const parents = new Map<string, string>();
    return {
      create: (record, holder) => {
        if (record.parent !== undefined) parents.set(record.id, record.parent.runId);
        const { parent: _unknown, ...bare } = record;
        return store.create(bare, holder);
      },
      getRun: async (runId) => {
        const run = await store.getRun(runId);
        const parent = parents.get(runId);
        return run && parent !== undefined ? { ...run, parent: { runId: parent, toolCallId: "c" } } : run;
      },
    };
  },
  "changes a blob with its caller's buffer": (store) => {
    const blobs = new Map<string, Uint8Array>();
    return {
      putBlob: async (bytes) => {
        const hash = await store.putBlob(bytes);
        blobs.set(hash, bytes);
        return hash;
      },
      getBlob: async (hash) => blobs.get(hash) ?? store.getBlob(hash),
    };
  },
};

for (const [what, defect] of Object.entries(defects)) {
  test(`the exported kit detects a store that ${what} [feature:X105]`, async () => {
    const cases = storeConformance(
      () => {
        const store = memoryStore();
        return { store: { ...store, ...defect(store) } };
      },
      { runs: 5 },
    );
    const results = await Promise.allSettled(cases.map(({ run }) => run()));
    expect(results.filter(({ status }) => status === "rejected")).not.toHaveLength(0);
  });
}
