import { ConfigurationError, checkBatch, isProgress, recordText } from "@bailiwick/core/store";
import type { ClaimLimit, JournalEvent, Lease, LedgerRow, Release, RunRecord, RunStore } from "@bailiwick/core/store";
import type { DatabaseLink } from "../thread/link.ts";
import type { Appended, ClaimLimitColumns, Outer, Released, GivenLease, Held } from "../thread/service.ts";
import { toLedgerColumns } from "./ledger.ts";
import { fromText, toText } from "./plain-text.ts";
import { toJoined } from "./sessions.ts";
import { searchOf, toFacts } from "./search.ts";
import { toRunColumns, toStoredRun } from "./stored-run.ts";
import { readyWatch } from "./ready-watch.ts";

/** The runs and blobs of a store. */
export function runsOf(link: DatabaseLink): Omit<RunStore, "name" | "durable" | "ledger" | "sessions" | "close"> {
  const { subscribe, notify } = createSubscribers();
  const ready = readyWatch(link);
  return {
    async create(record, holder) {
      checkIds(record);
      const { run, created, lease } = await link.call(
        "create",
        toRunColumns(record),
        holder && { owner: holder.owner, ttlMs: holder.ttlMs, under: toOuter(holder.under) },
      );
      if (created && lease === undefined) ready.tell();
      return { run: toStoredRun(run), created, lease: lease && toLease(lease) };
    },
    async acquire(runId, owner, ttlMs, under, gone) {
      const lease = await link.call("acquire", runId, owner, ttlMs, toOuter(under), gone);
      return lease && toLease(lease);
    },
    async append(lease, events, attachments) {
      checkBatch(lease, events);
      return link.call("append", toHeld(lease), toAppended(events, attachments));
    },
    renew: async (leases, ttlMs) => link.call("renew", leases.map(toHeld), ttlMs),
    async release(lease, next, session) {
      await link.call("release", toHeld(lease), toReleased(next), session && toJoined(session));
      ready.tell();
    },
    async signal(runId, { id, name, payload }) {
      const text = payload === undefined ? null : toText(payload);
      if (await link.call("signal", runId, { id, name, payload: text })) {
        notify(runId);
        ready.tell();
      }
    },
    async takeSignals(lease) {
      const rows = await link.call("takeSignals", toHeld(lease));
      return rows.map(({ id, name, payload }) => ({
        id,
        name,
        payload: payload === null ? undefined : fromText<unknown>(payload),
      }));
    },
    async load(runId, afterSeq = 0) {
      const events: JournalEvent[] = [];
      for (;;) {
        const { texts, more } = await link.call("load", runId, afterSeq + events.length);
        for (const text of texts) events.push(JSON.parse(text) as JournalEvent);
        if (!more) return events;
      }
    },
    async get(runId, key) {
      const text = await link.call("get", runId, key);
      return text === undefined ? undefined : (JSON.parse(text) as JournalEvent);
    },
    async getRun(runId) {
      const row = await link.call("getRun", runId);
      return row && toStoredRun(row);
    },
    async listRuns({ allUsers = false, allTenants = false, state, limit = 50, ...filter }) {
      if (Array.isArray(state) && state.length === 0) return [];
      const rows = await link.call("listRuns", {
        tenantId: filter.tenantId ?? null,
        userId: filter.userId ?? null,
        allUsers,
        allTenants,
        sessionId: filter.sessionId ?? null,
        agentId: filter.agentId ?? null,
        states: state === undefined ? [] : [state].flat(),
        settledSince: filter.settledSince ?? null,
        settledBefore: filter.settledBefore ?? null,
        before: filter.before ?? null,
        limit,
      });
      return rows.map(toStoredRun);
    },
    ...searchOf(link),
    async claim({ agents, exceptTenants = [], tenantLimit, tenantWeights = {}, ...request }) {
      const claim = await link.call("claim", {
        ...request,
        agents: agents.map(({ agentId, definitionHashes = null, limit }) => ({
          agentId,
          definitionHashes,
          limit: limitColumns(limit),
        })),
        tenantLimit: limitColumns(tenantLimit),
        tenantWeights,
        exceptTenants: exceptTenants.map((tenantId) => tenantId ?? null),
      });
      return {
        ...claim,
        runs: claim.runs.map(({ run, lease }) => ({ run: toStoredRun(run), lease: toLease(lease) })),
        nextDueAt: claim.nextDueAt ?? undefined,
      };
    },
    async requeue(runId, epoch, dueAt) {
      const queued = await link.call("requeue", runId, epoch, dueAt ?? null);
      if (queued) ready.tell();
      return queued;
    },
    queueDepth: async () =>
      (await link.call("queueDepth")).map((row) => ({
        ...row,
        oldestQueuedAt: row.oldestQueuedAt ?? undefined,
        oldestQueuedId: row.oldestQueuedId ?? undefined,
      })),
    onReady: ready.subscribe,
    deleteRun: async (runId, epoch) => link.call("deleteRun", runId, epoch ?? null),
    // The thread gets a copy: the caller may change its bytes.
    putBlob: async (bytes) => link.call("putBlob", new Uint8Array(bytes)),
    getBlob: async (hash) => link.call("getBlob", hash),
    subscribe,
  };
}

const limitColumns = (limit: ClaimLimit | undefined): ClaimLimitColumns | null =>
  limit === undefined ? null : { concurrency: limit.concurrency ?? null, runsPerMinute: limit.runsPerMinute ?? null };

function toAppended(events: readonly JournalEvent[], attachments: readonly LedgerRow[] = []): Appended {
  const keys: string[] = [];
  const texts: string[] = [];
  const taken: [string, string][] = [];
  let progress = false;
  for (const event of events) {
    keys.push(event.key);
    texts.push(recordText(event));
    if (event.type === "signal.taken") taken.push([event.signal.id, event.signal.name]);
    progress ||= isProgress(event);
  }
  return { keys, texts, progress, taken, ledger: attachments.map(toLedgerColumns), facts: toFacts(events) };
}

/** The thread gets only the fields that identify a lease. */
function toOuter(under: Lease | undefined): Outer | undefined {
  return under && { runId: under.runId, epoch: under.epoch, owner: under.owner };
}

function dueAtOf(next: Release): number | null {
  if (next.state === "sleeping") return next.wakeAt;
  return (next.state === "queued" ? next.dueAt : undefined) ?? null;
}

function toReleased(next: Release): Released {
  return {
    state: next.state,
    waitingOn: next.state === "suspended" ? JSON.stringify(next.waitingOn) : null,
    dueAt: dueAtOf(next),
    unlessSignals: JSON.stringify((next.state === "completed" && next.unlessSignals) || []),
  };
}

/** Refuses ids that SQLite would store as another text: it would take two users for one. */
function checkIds({ id, tenantId, userId, sessionId, idempotencyKey }: RunRecord): void {
  for (const [name, value] of Object.entries({ id, tenantId, userId, sessionId, idempotencyKey })) {
    if (typeof value !== "string" || value.isWellFormed()) continue;
    const shown = JSON.stringify(value);
    throw new ConfigurationError(
      "INVALID_INPUT",
      `The ${name} ${shown} of a run has half of a surrogate pair, which SQLite cannot store. Use well-formed text.`,
    );
  }
}

function toHeld({ runId, owner, epoch, head }: Lease): Held {
  return { runId, owner, epoch, seq: head.seq, hash: head.hash };
}

function toLease({ runId, owner, epoch, seq, hash, expiresAt }: GivenLease): Lease {
  return { runId, owner, epoch, head: { seq, hash }, expiresAt };
}

/** Listeners for signals to runs of this process. */
interface Subscribers {
  subscribe(runId: string, callback: () => void): () => void;
  notify(runId: string): void;
}

function createSubscribers(): Subscribers {
  const subscribers = new Map<string, Set<() => void>>();
  return {
    subscribe(runId, callback) {
      const callbacks = subscribers.get(runId) ?? new Set();
      subscribers.set(runId, callbacks.add(callback));
      return () => {
        callbacks.delete(callback);
        if (callbacks.size === 0 && subscribers.get(runId) === callbacks) subscribers.delete(runId);
      };
    },
    notify(runId) {
      for (const callback of subscribers.get(runId) ?? []) callback();
    },
  };
}
