import type { Database } from "./database.ts";
import { RefusedError, refuse } from "../thread/failure.ts";
import type { Appended, DatabaseService, GivenLease, Held, InboxRow, Loaded, Outer } from "../thread/service.ts";
import type { BlobTable } from "./blobs.ts";
import type { GroupCommit } from "./group-commit.ts";
import { fromHex, toHex, type Sha256 } from "./hashes.ts";
import type { LedgerTable } from "./ledger.ts";
import { queueCalls } from "./queue.ts";
import { runColumns, toRunRow } from "./run-columns.ts";
import { runLists } from "./run-lists.ts";
import { runStatements } from "./run-statements.ts";
import { searchCalls } from "./search.ts";
import { sessionNotFound, type SessionTables } from "./sessions.ts";
import { codeOf, sqliteCode } from "./sqlite-failures.ts";

/** Parts that the runs share with the rest of the file. */
export interface RunsContext {
  readonly database: Database;
  readonly name: string;
  readonly commits: GroupCommit;
  readonly blobs: BlobTable;
  readonly ledger: LedgerTable;
  readonly sessions: SessionTables;
  readonly sha256: Sha256;
  /** Grows with each commit of another process. */
  readonly version: () => number;
}

type RunCalls = Pick<
  DatabaseService,
  | "create"
  | "acquire"
  | "append"
  | "renew"
  | "release"
  | "signal"
  | "takeSignals"
  | "load"
  | "get"
  | "getRun"
  | "listRuns"
  | "searchRuns"
  | "countRuns"
  | "claim"
  | "requeue"
  | "queueDepth"
  | "version"
  | "deleteRun"
  | "claimSession"
  | "deleteSession"
>;

/** Number of records that are read at once: more would delay the writes of other runs, and the caller's event loop. */
const mostRecords = 256;

interface StoredHead {
  readonly n: number;
  readonly seq: number;
  readonly hash: string;
}

export function runCalls({ database, name, commits, blobs, ledger, sessions, sha256, version }: RunsContext): RunCalls {
  const sql = runStatements(database);
  const list = runLists(database);
  /** The head of the chain after one more record, computed like `chainHash` of the core. */
  const chained = (previous: string, text: string): string => sha256(`${previous}\n${text}`);

  function numberOf(runId: string): number {
    const row = sql.find.get(runId);
    if (row === undefined) throw notFound(runId);
    return row["n"] as number;
  }

  function notFound(runId: string): RefusedError {
    const kind = sql.isDeleted.get(runId) === undefined ? "run-not-found" : "conversation-deleted";
    return new RefusedError({ kind, runId });
  }

  /** Inside a write: removes a run with the runs inside its calls; returns their ids. */
  function remove(runId: string): readonly string[] {
    return sql.inside.all(runId).map((row) => {
      blobs.removeUnshared(row["n"] as number);
      sql.remove.run(row["n"] as number);
      return row["id"] as string;
    });
  }

  function heldHead(lease: Held): StoredHead {
    const row = sql.head.get(lease.runId, lease.epoch, lease.owner);
    if (row === undefined) throw new RefusedError({ kind: "fenced", runId: lease.runId });
    return { n: row["n"] as number, seq: row["head_seq"] as number, hash: row["head_hash"] as string };
  }

  function atHead(lease: Held): StoredHead {
    const found = heldHead(lease);
    if (lease.seq !== found.seq || (lease.hash !== "" && lease.hash !== found.hash))
      throw new RefusedError({ kind: "fenced", runId: lease.runId });
    return found;
  }

  function checkOuter(runId: string, under: Outer | undefined): void {
    if (under !== undefined && sql.isHeld.get(under.runId, under.epoch, under.owner) === undefined)
      throw new RefusedError({ kind: "fenced", runId });
  }

  function insertRecords(
    lease: Held,
    { keys, texts, progress, taken, facts }: Appended,
  ): { readonly seq: number; readonly hash: string } {
    let { n, seq, hash } = atHead(lease);
    for (const [index, key] of keys.entries()) {
      const text = texts[index] ?? "";
      seq += 1;
      hash = chained(hash, text);
      try {
        sql.insertEvent.run(n, seq, key, fromHex(hash), text);
      } catch (error) {
        if (codeOf(error) === sqliteCode.constraint)
          throw new RefusedError({ kind: "duplicate-key", runId: lease.runId, key });
        throw error;
      }
      blobs.use(n, text);
    }
    for (const [id, signalName] of taken) sql.take.run(n, id, signalName);
    const { costUsd, tokens, modelCalls, toolCalls, tools, stopReason, words } = facts;
    sql.advance.run(seq, hash, progress ? 1 : 0, n, costUsd, tokens, modelCalls, toolCalls, tools, stopReason, words);
    return { seq, hash };
  }

  function readTexts(runId: string, afterSeq: number): Loaded {
    const row = sql.find.get(runId);
    if (row === undefined) throw notFound(runId);
    const n = row["n"] as number;
    const from = afterSeq === 0 ? undefined : sql.hashAt.get(n, afterSeq);
    let hash = from === undefined ? "" : toHex(from["hash"] as Uint8Array);
    let seq = afterSeq;
    const texts: string[] = [];
    for (const stored of sql.events.all(n, afterSeq, mostRecords)) {
      seq += 1;
      const text = stored["text"] as string;
      hash = chained(hash, text);
      if (stored["seq"] !== seq || hash !== toHex(stored["hash"] as Uint8Array)) throw tampered(runId, seq);
      texts.push(text);
    }
    const headSeq = row["head_seq"] as number;
    if (texts.length === 0 && seq < headSeq) throw tampered(runId, seq + 1);
    const more = texts.length === mostRecords && seq < headSeq;
    if (texts.length > 0 && !more && (seq !== headSeq || hash !== row["head_hash"])) throw tampered(runId, seq + 1);
    return { texts, more };
  }

  /** Refuses to drive a run while another one of its session is driven. */
  function checkSessionFree(runId: string): void {
    const row = sql.sessionDriven.get(runId);
    if (row !== undefined)
      throw new RefusedError({ kind: "session-busy", runId, sessionId: row["session_id"] as string });
  }

  function take(runId: string, owner: string, ttlMs: number, gone: number | null = null): GivenLease | null {
    const row = sql.acquire.get(owner, ttlMs, runId, gone);
    if (row === undefined) return null;
    return {
      runId,
      owner,
      epoch: row["epoch"] as number,
      seq: row["head_seq"] as number,
      hash: row["head_hash"] as string,
      expiresAt: row["expires_at"] as number,
    };
  }

  return {
    create: (columns, holder) =>
      commits.write(() => {
        const { id, tenantId, userId, idempotencyKey } = columns;
        const known = idempotencyKey === null ? undefined : sql.byKey.get(tenantId, userId, idempotencyKey);
        if (known !== undefined) return { run: toRunRow(known), created: false, lease: undefined };
        if (sql.find.get(id) !== undefined) {
          throw refuse("RUN_EXISTS", `Run "${id}" is already in the store "${name}". Use a new id.`, { runId: id });
        }
        checkOuter(id, holder?.under);
        sql.insert.run(...runColumns(columns));
        if (holder !== undefined && columns.inSession) checkSessionFree(id);
        const lease = (holder && take(id, holder.owner, holder.ttlMs)) ?? undefined;
        return { run: toRunRow(sql.find.get(id) ?? {}), created: true, lease };
      }),
    acquire: (runId, owner, ttlMs, under, gone) =>
      commits.write(() => {
        numberOf(runId);
        checkOuter(runId, under);
        if (sql.isDriven.get(runId, gone ?? null) !== undefined) return null;
        checkSessionFree(runId);
        const lease = take(runId, owner, ttlMs, gone);
        if (lease !== null) sql.fenceInside.run(runId);
        return lease;
      }),
    append: (lease, appended) =>
      commits.write(() => {
        const head = insertRecords(lease, appended);
        for (const row of appended.ledger) ledger.putRow(row);
        return head;
      }),
    renew: (leases, ttlMs) =>
      commits.write(() =>
        leases.map(({ runId, epoch, owner }) => {
          const held = sql.renew.run(ttlMs, runId, epoch, owner).changes > 0;
          return { runId, held, signalsWaiting: held && sql.signals.get(runId)?.["waiting"] === 1 };
        }),
      ),
    release: (lease, next, session) =>
      commits.write(() => {
        const { n } = atHead(lease);
        // The row decides the owner: the session may have been claimed while the run was driven.
        if (session !== undefined) {
          const userId = sql.ownerOf.get(n)?.["user_id"] as string | null;
          sessions.join({ ...session, key: { ...session.key, userId } });
        }
        sql.release.run(next.state, next.waitingOn, next.dueAt, n, next.unlessSignals);
      }),
    signal: (runId, { id, name: signalName, payload }) =>
      commits.write(() => {
        const n = numberOf(runId);
        if (sql.insertSignal.run(n, id, signalName, payload).changes === 0) return false;
        sql.wake.run(n);
        return true;
      }),
    takeSignals: (lease) =>
      commits.read(() => sql.inbox.all(heldHead(lease).n).map((row) => ({ ...row }) as unknown as InboxRow)),
    load: (runId, afterSeq) => commits.read(() => readTexts(runId, afterSeq)),
    get: (runId, key) => commits.read(() => sql.event.get(runId, key)?.["text"] as string | undefined),
    getRun: (runId) =>
      commits.read(() => {
        const row = sql.find.get(runId);
        return row === undefined ? undefined : toRunRow(row);
      }),
    listRuns: (filter) => commits.read(() => list(filter).map(toRunRow)),
    ...searchCalls(database, commits),
    ...queueCalls({ database, commits, version, take, numberOf, fenceInside: (runId) => sql.fenceInside.run(runId) }),
    claimSession: (key) =>
      commits.write(() => {
        const runs = sql.claim.run(key.id, key.tenantId, key.userId).changes;
        if (!sessions.claim(key) && runs === 0) throw sessionNotFound({ ...key, userId: null });
      }),
    deleteRun: (runId, epoch) =>
      commits.write(() => {
        const row = sql.find.get(runId);
        if (row === undefined || (epoch !== null && (row["epoch"] !== epoch || row["state"] === "running")))
          return false;
        remove(runId);
        return true;
      }),
    deleteSession: (key) =>
      commits.write(() => {
        const { id, tenantId, userId } = key;
        const own = sql.ofSession.all(id, tenantId, userId, sessions.remove(key) ? 1 : 0);
        for (const { id: runId } of own) {
          for (const gone of remove(runId as string)) {
            sql.forget.run(gone);
            sql.noteDeleted.run(gone);
          }
        }
        const outer = own.filter((row) => row["outer"] === 1);
        return { runs: outer.length, open: outer.filter((row) => row["open"] === 1).length };
      }),
  };
}

const tampered = (runId: string, seq: number): RefusedError => new RefusedError({ kind: "tampered", runId, seq });
