import type { JoinedSessions } from "./sessions.ts";
import { isSameOwner, type Owner } from "../../contracts/owner.ts";
import { isEnded } from "../../contracts/stop-reason.ts";
import { RunNotFoundError } from "../../errors/run-errors.ts";
import { ConversationDeletedError, SessionNotFoundError } from "../../errors/session-errors.ts";
import { FencedError, StoreError } from "../../errors/store-errors.ts";
import { frozenView } from "../../user-code/copies.ts";
import { checkBatch, isProgress } from "../run-facts.ts";
import type { DeletedSession } from "../../contracts/ports/session-store.ts";
import type { Clock } from "../../contracts/ports/clock.ts";
import type { Hasher } from "../../contracts/ports/hasher.ts";
import type { Lease, RunStore } from "../../contracts/ports/run-store.ts";
import { memoryBlobs } from "./blobs.ts";
import { deletedRuns } from "./deleted-runs.ts";
import type { RunLedger } from "./ledger.ts";
import { claimTurns } from "./claim-turns.ts";
import { claimRows, memoryQueueDepth } from "./claims.ts";
import { countRows, listRows, searchRows } from "./lists.ts";
import {
  dueAt,
  goesOn,
  hasSignals,
  headOf,
  idempotencyKeyOf,
  sessionKeyOf,
  isSettled,
  storedRun,
  waitingOn,
  type Row,
  checkSessionFree,
} from "./rows.ts";

/** Parts of a store in memory that its rows use. */
interface RunParts {
  readonly name: string;
  readonly clock: Clock;
  readonly hasher: Hasher;
  readonly ledger: RunLedger;
  readonly sessions: Pick<JoinedSessions, "claim" | "delete" | "join" | "forget" | "kindOf">;
  readonly keepEnded: number | undefined;
  /** Calls the subscribers of a run. */
  readonly tell: (runId: string) => void;
  /** Notifies subscribers that runs may be claimable. */
  readonly tellReady: () => void;
}

/** The methods of a store in memory that read or change its rows. */
export interface MemoryRuns extends Omit<
  RunStore,
  "name" | "durable" | "ledger" | "sessions" | "subscribe" | "onReady" | "close"
> {
  readonly claimSession: JoinedSessions["claim"];
  readonly deleteSession: JoinedSessions["delete"];
}

/** The runs of a store in memory. */
export function runRows(given: RunParts): MemoryRuns {
  const { name, clock, sessions, ledger, tell, tellReady } = given;
  const rows = new Map<string, Row>();
  const byIdempotencyKey = new Map<string, string>();
  const blobs = memoryBlobs(clock, given.hasher);
  const turns = claimTurns();
  /** Runs inside calls, by the run that made the call. */
  const inside = new Map<string, Set<string>>();
  /** Runs of each session. */
  const ofSessions = new Map<string, Set<string>>();
  /** Ended runs, oldest first; runs inside calls are deleted with the run that made the call. */
  const ended = new Set<string>();
  const deleted = deletedRuns();
  let oldest: SetIterator<string> | undefined;
  let created = 0;

  function rowOf(runId: string): Row {
    const row = rows.get(runId);
    if (row !== undefined) return row;
    throw deleted.has(runId) ? new ConversationDeletedError(runId, name) : new RunNotFoundError(runId, name);
  }

  function heldRow(lease: Lease): Row {
    const row = rows.get(lease.runId);
    if (row === undefined || row.epoch !== lease.epoch || row.owner !== lease.owner) throw new FencedError(lease.runId);
    return row;
  }

  function rowAtHead(lease: Lease): Row {
    const row = heldRow(lease);
    if (lease.head.seq !== row.events.length) throw new FencedError(lease.runId);
    return row;
  }

  function take(row: Row, owner: string, ttlMs: number): Lease {
    const now = clock.now();
    row.state = "running";
    row.epoch += 1;
    row.owner = owner;
    row.expiresAt = now + ttlMs;
    row.waitingOn = undefined;
    row.dueAt = undefined;
    row.settledAt = undefined;
    row.updatedAt = now;
    ended.delete(row.record.id);
    return { runId: row.record.id, owner, epoch: row.epoch, head: headOf(row), expiresAt: row.expiresAt };
  }

  function forgetKey({ record }: Row): void {
    const key = idempotencyKeyOf(record);
    if (key !== undefined && byIdempotencyKey.get(key) === record.id) byIdempotencyKey.delete(key);
  }

  function enterSession({ record }: Row): void {
    const key = sessionKeyOf(record);
    ofSessions.set(key, (ofSessions.get(key) ?? new Set()).add(record.id));
  }

  /** @returns true if the row was the last one of its session. */
  function leaveSession({ record }: Row): boolean {
    const key = sessionKeyOf(record);
    const own = ofSessions.get(key);
    own?.delete(record.id);
    if (own?.size !== 0) return false;
    return ofSessions.delete(key);
  }

  /** @param removed - Receives the rows that were removed last of their session. */
  function remove(runId: string, row: Row, removed?: Row[]): void {
    rows.delete(runId);
    ended.delete(runId);
    forgetKey(row);
    if (leaveSession(row)) removed?.push(row);
    if (row.record.parent !== undefined) inside.get(row.record.parent.runId)?.delete(runId);
    for (const id of inside.get(runId) ?? []) {
      const inner = rows.get(id);
      if (inner !== undefined) remove(id, inner, removed);
    }
    inside.delete(runId);
    if (row.blobs !== undefined) blobs.release(row.blobs);
  }

  /** Deletes the runs that ended first, beyond the number to keep, with what belongs to them. */
  async function forgetOldest(keep: number): Promise<void> {
    const runIds: string[] = [];
    const removed: Row[] = [];
    while (ended.size > keep) {
      // The iterator is reused: a new one would skip over all places that became empty.
      const { value: runId } = (oldest ??= ended.values()).next();
      const row = rows.get(runId ?? "");
      if (row !== undefined) {
        runIds.push(row.record.id, ...insideOf(row.record.id));
        remove(row.record.id, row, removed);
      } else if (runId === undefined) oldest = undefined;
      else ended.delete(runId);
    }
    for (const runId of runIds) await ledger.forget(runId);
    for (const { record } of removed) {
      const { tenantId, userId, sessionId } = record;
      if (!ofSessions.has(sessionKeyOf(record))) await sessions.forget(sessionId, { tenantId, userId });
    }
  }

  /** Ids of the runs inside a run's calls, at any depth. */
  function insideOf(runId: string): readonly string[] {
    return [...(inside.get(runId) ?? [])].flatMap((id) => [id, ...insideOf(id)]);
  }

  /** Ends the leases on the runs inside a run's calls: the process that held them lost the run. */
  function fenceInside(runId: string): void {
    for (const id of inside.get(runId) ?? []) {
      const row = rows.get(id);
      if (row?.state === "running") {
        row.state = "queued";
        row.epoch += 1;
        row.owner = undefined;
        row.expiresAt = 0;
      }
      fenceInside(id);
    }
  }

  function checkOuter(runId: string, under: Lease | undefined): void {
    if (under === undefined) return;
    const outer = rows.get(under.runId);
    if (outer?.epoch !== under.epoch || outer.owner !== under.owner) throw new FencedError(runId);
  }

  /** Hands over a session without a user, its runs, and the runs inside their calls. */
  async function claimSession(id: string, owner: Owner & { readonly userId: string }): Promise<void> {
    const own = [...rows.values()].filter(
      ({ record }) => record.sessionId === id && isSameOwner(record, { tenantId: owner.tenantId }),
    );
    try {
      await sessions.claim(id, owner);
    } catch (error) {
      // Runs of an agent without sessions have a session id too.
      if (!(error instanceof SessionNotFoundError) || own.length === 0) throw error;
    }
    for (const row of own) handOver(row, owner.userId);
  }

  /** Deletes a session with its runs, the runs inside their calls, and their rows of the ledger. */
  async function deleteSession(id: string, owner?: Owner): Promise<DeletedSession> {
    const kind = await sessions.kindOf(id, owner);
    await sessions.delete(id, owner);
    const own: Row[] = [];
    for (const row of rows.values()) {
      const { sessionId, tenantId, userId } = row.record;
      if (sessionId !== id || tenantId !== owner?.tenantId) continue;
      // A shared session is that of each user of the tenant who has none of this id.
      const isOwn = kind === "shared" ? (await sessions.kindOf(id, row.record)) !== "own" : userId === owner?.userId;
      if (isOwn) own.push(row);
    }
    const outer = own.filter(({ record }) => record.parent === undefined);
    const open = outer.filter(({ state }) => !isEnded(state)).length;
    for (const row of own) {
      const { record } = row;
      if (!rows.has(record.id)) continue;
      const gone = [record.id, ...insideOf(record.id)];
      remove(record.id, row);
      for (const runId of gone) {
        deleted.note(runId);
        await ledger.forget(runId);
      }
    }
    return { runs: outer.length, open };
  }

  function handOver(row: Row, userId: string): void {
    forgetKey(row);
    leaveSession(row);
    row.record = { ...row.record, userId };
    enterSession(row);
    const key = idempotencyKeyOf(row.record);
    if (key !== undefined && !byIdempotencyKey.has(key)) byIdempotencyKey.set(key, row.record.id);
    for (const id of inside.get(row.record.id) ?? []) {
      const inner = rows.get(id);
      if (inner !== undefined && inner.record.userId === undefined) handOver(inner, userId);
    }
  }

  return {
    async create(record, holder) {
      const key = idempotencyKeyOf(record);
      const known = key === undefined ? undefined : byIdempotencyKey.get(key);
      if (known !== undefined) return { run: storedRun(rowOf(known)), created: false };
      if (rows.has(record.id)) {
        throw new StoreError("RUN_EXISTS", `Run "${record.id}" is already in the store "${name}". Use a new id.`, {
          runId: record.id,
        });
      }
      checkOuter(record.id, holder?.under);
      const now = clock.now();
      if (holder !== undefined) checkSessionFree(rows.values(), record, now);
      created += 1;
      const row: Row = {
        record,
        state: "queued",
        epoch: 0,
        owner: undefined,
        expiresAt: 0,
        createdAt: now,
        updatedAt: now,
        waitingOn: undefined,
        dueAt: record.dueAt,
        enqueuedAt: Math.max(now, record.dueAt ?? 0),
        claimedAt: undefined,
        attempts: 0,
        settledAt: undefined,
        events: [],
        keys: new Set(),
        inbox: undefined,
        taken: undefined,
        blobs: undefined,
        order: created,
        searched: undefined,
      };
      rows.set(record.id, row);
      deleted.delete(record.id);
      enterSession(row);
      if (record.parent !== undefined) {
        const { runId } = record.parent;
        inside.set(runId, (inside.get(runId) ?? new Set()).add(record.id));
      }
      if (key !== undefined) byIdempotencyKey.set(key, record.id);
      const lease = holder && take(row, holder.owner, holder.ttlMs);
      if (lease === undefined) tellReady();
      return { run: storedRun(row), created: true, lease };
    },
    async acquire(runId, owner, ttlMs, under, gone) {
      const row = rowOf(runId);
      checkOuter(runId, under);
      if (row.state === "running" && row.epoch !== gone && row.expiresAt > clock.now()) return null;
      checkSessionFree(rows.values(), row.record, clock.now());
      if (row.state === "running") row.attempts += 1;
      fenceInside(runId);
      return take(row, owner, ttlMs);
    },
    async claim(request) {
      const claim = claimRows(rows, request, clock, take, turns);
      for (const { run } of claim.runs) fenceInside(run.id);
      return claim;
    },
    async requeue(runId, epoch, dueAt) {
      const row = rowOf(runId);
      if (row.epoch !== epoch || !["queued", "stuck", "failed"].includes(row.state)) return false;
      row.state = "queued";
      row.dueAt = dueAt;
      row.attempts = 0;
      row.settledAt = undefined;
      row.updatedAt = clock.now();
      ended.delete(runId);
      tellReady();
      return true;
    },
    queueDepth: async () => memoryQueueDepth(rows.values(), clock.now()),
    async append(lease, events, attachments = []) {
      const row = rowAtHead(lease);
      checkBatch(lease, events, row.keys);
      for (const event of events) {
        row.events.push(event);
        row.keys.add(event.key);
        if (event.type === "signal.taken") {
          row.inbox?.delete(event.signal.id);
          (row.taken ??= new Set()).add(event.signal.id);
        }
        if (isProgress(event)) row.attempts = 0;
      }
      row.blobs = blobs.use(events, row.blobs);
      for (const attachment of attachments) await ledger.put(attachment);
      row.updatedAt = clock.now();
      return headOf(row);
    },
    async renew(leases, ttlMs) {
      return leases.map(({ runId, epoch, owner }) => {
        const row = rows.get(runId);
        const held = row !== undefined && row.epoch === epoch && row.owner === owner;
        if (held) row.expiresAt = clock.now() + ttlMs;
        return { runId, held, signalsWaiting: held && hasSignals(row) };
      });
    },
    async release(lease, next, session) {
      const row = rowAtHead(lease);
      if (session !== undefined) {
        const { sessionId, messages, ...run } = session;
        // The row decides the owner: the session may have been claimed while the run was driven.
        await sessions.join(sessionId, messages, { ...run, userId: row.record.userId });
      }
      const state = goesOn(row, next) ? "queued" : next.state;
      row.state = state;
      row.owner = undefined;
      row.expiresAt = 0;
      row.attempts = 0;
      row.waitingOn = state === "suspended" ? waitingOn(next) : undefined;
      row.dueAt = state === next.state ? dueAt(next) : undefined;
      row.updatedAt = clock.now();
      row.settledAt = isSettled(state) ? row.updatedAt : undefined;
      if (state === "queued" || row.record.inSession === true) tellReady();
      if (!isEnded(state)) return;
      const { parent } = row.record;
      if (parent !== undefined && rows.has(parent.runId)) return;
      ended.add(row.record.id);
      if (given.keepEnded !== undefined) await forgetOldest(given.keepEnded);
    },
    async signal(runId, signal) {
      const row = rowOf(runId);
      if (row.taken?.has(signal.id) === true || row.inbox?.has(signal.id) === true) return;
      (row.inbox ??= new Map()).set(signal.id, signal);
      if (row.state === "suspended" || row.state === "sleeping") {
        row.state = "queued";
        row.waitingOn = undefined;
        row.dueAt = undefined;
        row.settledAt = undefined;
        tellReady();
      }
      tell(runId);
    },
    takeSignals: async (lease) => [...(heldRow(lease).inbox?.values() ?? [])],
    load: async (runId, afterSeq = 0) => rowOf(runId).events.slice(afterSeq).map(frozenView),
    get: async (runId, key) => frozenView(rows.get(runId)?.events.find((event) => event.key === key)),
    getRun: async (runId) => {
      const row = rows.get(runId);
      return row === undefined ? undefined : storedRun(row);
    },
    listRuns: async (filter) => listRows([...rows.values()], filter).map((row) => storedRun(row)),
    searchRuns: async (search) => searchRows([...rows.values()], search),
    countRuns: async (owner) => countRows(rows.values(), owner),
    async deleteRun(runId, epoch) {
      const row = rows.get(runId);
      if (row === undefined || (epoch !== undefined && (row.epoch !== epoch || row.state === "running"))) return false;
      remove(runId, row);
      return true;
    },
    putBlob: blobs.putBlob,
    getBlob: blobs.getBlob,
    claimSession,
    deleteSession,
  };
}
