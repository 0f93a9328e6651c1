import { checkBatch, isProgress, recordText } from "@bailiwick/core/store";
import type { JournalEvent, Lease, LedgerRow, Release, RunStore } from "@bailiwick/core/store";
import type { DatabaseLink } from "../thread/link.ts";
import type { Appended, Outer, Released } from "../thread/service.ts";
import { toHeld, toLease } from "./lease.ts";
import { toLedgerColumns } from "./ledger.ts";
import { fromText, toText } from "./plain-text.ts";
import { toJoined } from "./sessions.ts";
import { toRunColumns, toStoredRun } from "./stored-run.ts";
import { createSubscribers } from "./subscribers.ts";

/** The runs and blobs of a store. */
export function runsOf(link: DatabaseLink): Omit<RunStore, "name" | "durable" | "ledger" | "sessions" | "close"> {
  const { subscribe, notify } = createSubscribers();
  return {
    async create(record, holder) {
      const { run, created, lease } = await link.call(
        "create",
        toRunColumns(record),
        holder && { owner: holder.owner, ttlMs: holder.ttlMs, under: toOuter(holder.under) },
      );
      return { run: toStoredRun(run), created, lease: lease && toLease(lease) };
    },
    async acquire(runId, owner, ttlMs, under) {
      const lease = await link.call("acquire", runId, owner, ttlMs, toOuter(under));
      return lease && toLease(lease);
    },
    async append(lease, events, attachments) {
      checkBatch(lease, events, () => false);
      return link.call("append", toHeld(lease), toAppended(events, attachments));
    },
    renew: async (leases, ttlMs) => link.call("renew", leases.map(toHeld), ttlMs),
    release: async (lease, next, session) =>
      link.call("release", toHeld(lease), toReleased(next), session && toJoined(session)),
    async signal(runId, { id, name, payload }) {
      const text = payload === undefined ? null : toText(payload);
      if (await link.call("signal", runId, { id, name, payload: text })) notify(runId);
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
    async listRuns({ tenantId, userId, allUsers, sessionId, agentId, state, before, limit }) {
      const rows = await link.call("listRuns", {
        tenantId: tenantId ?? null,
        userId: userId ?? null,
        allUsers: allUsers === true,
        sessionId: sessionId ?? null,
        agentId: agentId ?? null,
        state: state ?? null,
        before: before ?? null,
        limit: limit ?? 50,
      });
      return rows.map(toStoredRun);
    },
    listRunnable: async (limit) => (await link.call("listRunnable", limit)).map(toStoredRun),
    listExpired: async (limit) => (await link.call("listExpired", limit)).map(toStoredRun),
    deleteRun: async (runId) => link.call("deleteRun", runId),
    // The copy is the thread's: the caller may change its bytes.
    putBlob: async (bytes) => link.call("putBlob", new Uint8Array(bytes)),
    getBlob: async (hash) => link.call("getBlob", hash),
    subscribe,
  };
}

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
  return { keys, texts, progress, taken, ledger: attachments.map(toLedgerColumns) };
}

/** Only what a lease is checked by crosses to the thread. */
function toOuter(under: Lease | undefined): Outer | undefined {
  return under && { runId: under.runId, epoch: under.epoch, owner: under.owner };
}

function toReleased(next: Release): Released {
  return {
    state: next.state,
    waitingOn: next.state === "waiting" ? JSON.stringify(next.waitingOn) : null,
    wakeAt: next.state === "sleeping" ? next.wakeAt : null,
    unlessSignals: JSON.stringify((next.state === "done" && next.unlessSignals) || []),
  };
}
