import type { DatabaseSync } from "node:sqlite";
import {
  FencedError,
  JournalTampered,
  RunNotFoundError,
  StoreError,
  chainHash,
  checkBatch,
  defaultHasher,
  duplicateKey,
  isProgress,
  readPlain,
  recordText,
  writePlain,
} from "@bailiwick/core";
import type { Head, JournalEvent, Lease, RunStore, Signal } from "@bailiwick/core";
import type { Blobs } from "./blobs.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { SqliteLedger } from "./ledger.ts";
import { runStatements } from "./run-statements.ts";
import type { SqliteSessions } from "./sessions.ts";
import { codeOf, sqliteCode } from "./sqlite-errors.ts";
import { recordColumns, toStoredRun } from "./stored-run.ts";

/** What the runs share with the rest of the file. */
export interface RunsContext {
  readonly database: DatabaseSync;
  readonly name: string;
  readonly commits: GroupCommit;
  readonly blobs: Blobs;
  readonly ledger: SqliteLedger;
  readonly sessions: SqliteSessions;
}

type RunMethods = Omit<RunStore, "name" | "durable" | "ledger" | "sessions" | "putBlob" | "getBlob" | "close">;

export function createRuns({ database, name, commits, blobs, ledger, sessions }: RunsContext): RunMethods {
  const sql = runStatements(database);
  const hasher = defaultHasher();
  const subscribers = new Map<string, Set<() => void>>();

  function numberOf(runId: string): number {
    const row = sql.find.get(runId);
    if (row === undefined) throw new RunNotFoundError(runId, name);
    return row["n"] as number;
  }

  function heldHead(lease: Lease): { readonly n: number; readonly head: Head } {
    const row = sql.head.get(lease.runId, lease.epoch, lease.owner);
    if (row === undefined) throw new FencedError(lease.runId);
    return { n: row["n"] as number, head: { seq: row["head_seq"] as number, hash: row["head_hash"] as string } };
  }

  function atHead(lease: Lease): { readonly n: number; readonly head: Head } {
    const found = heldHead(lease);
    const { seq, hash } = lease.head;
    if (seq !== found.head.seq || (hash !== "" && hash !== found.head.hash)) throw new FencedError(lease.runId);
    return found;
  }

  function insertEvents(lease: Lease, events: readonly JournalEvent[], texts: readonly string[]): Head {
    const { n, head } = atHead(lease);
    let { hash } = head;
    let progress = false;
    for (const [index, event] of events.entries()) {
      const text = texts[index] ?? "";
      hash = chainHash(hasher, hash, text);
      try {
        sql.insertEvent.run(n, event.seq, event.key, Buffer.from(hash, "hex"), text);
      } catch (error) {
        if (codeOf(error) === sqliteCode.constraint) throw duplicateKey(lease.runId, event.key);
        throw error;
      }
      blobs.use(n, text);
      if (event.type === "signal.taken") sql.take.run(n, event.signal.id, event.signal.name);
      progress ||= isProgress(event);
    }
    const seq = events.at(-1)?.seq ?? head.seq;
    sql.advance.run(seq, hash, progress ? 1 : 0, n);
    return { seq, hash };
  }

  function readEvents(runId: string, afterSeq: number): readonly JournalEvent[] {
    const row = sql.find.get(runId);
    if (row === undefined) throw new RunNotFoundError(runId, name);
    const n = row["n"] as number;
    const from = afterSeq === 0 ? undefined : sql.hashAt.get(n, afterSeq);
    let hash = from === undefined ? "" : toHex(from["hash"]);
    let seq = afterSeq;
    const events: JournalEvent[] = [];
    for (const stored of sql.events.all(n, afterSeq)) {
      seq += 1;
      const text = stored["text"] as string;
      hash = chainHash(hasher, hash, text);
      if (stored["seq"] !== seq || hash !== toHex(stored["hash"])) throw broken(runId, seq);
      events.push(JSON.parse(text) as JournalEvent);
    }
    if (events.length > 0 && (seq !== row["head_seq"] || hash !== row["head_hash"])) throw broken(runId, seq + 1);
    if (events.length === 0 && afterSeq === 0 && row["head_seq"] !== 0) throw broken(runId, 1);
    return events;
  }

  function take(runId: string, owner: string, ttlMs: number): Lease | null {
    const row = sql.acquire.get(owner, ttlMs, runId);
    if (row === undefined) return null;
    const head = { seq: row["head_seq"] as number, hash: row["head_hash"] as string };
    return { runId, owner, epoch: row["epoch"] as number, head, expiresAt: row["expires_at"] as number };
  }

  const notify = (runId: string): void => {
    for (const callback of subscribers.get(runId) ?? []) callback();
  };

  return {
    create: (record, holder) =>
      commits.write(() => {
        const known =
          record.idempotencyKey === undefined
            ? undefined
            : sql.byKey.get(record.tenantId ?? null, record.idempotencyKey);
        if (known !== undefined) return { run: toStoredRun(known), created: false };
        if (sql.find.get(record.id) !== undefined) {
          throw new StoreError("RUN_EXISTS", `Run "${record.id}" is already in the store "${name}". Use a new id.`, {
            runId: record.id,
          });
        }
        sql.insert.run(...recordColumns(record));
        const lease = (holder && take(record.id, holder.owner, holder.ttlMs)) ?? undefined;
        return { run: toStoredRun(sql.find.get(record.id) ?? {}), created: true, lease };
      }),
    acquire: (runId, owner, ttlMs) =>
      commits.write(() => {
        numberOf(runId);
        return take(runId, owner, ttlMs);
      }),
    async append(lease, events, attachments = []) {
      checkBatch(lease, events, () => false);
      // Written down here, so that the transaction holds only what must be in it.
      const texts = events.map((event) => recordText(event));
      return commits.write(() => {
        const head = insertEvents(lease, events, texts);
        for (const attachment of attachments) ledger.putRow(attachment);
        return head;
      });
    },
    renew: (leases, ttlMs) =>
      commits.write(() =>
        leases.map(({ runId, epoch, owner }) => {
          const held = sql.renew.run(ttlMs, runId, epoch, owner).changes > 0;
          return { runId, held, signalsWaiting: held && sql.signals.get(runId)?.["waiting"] === 1 };
        }),
      ),
    async release(lease, next, session) {
      await commits.write(() => {
        const { n } = atHead(lease);
        if (session !== undefined) sessions.appendRun(session);
        const waitingOn = next.state === "waiting" ? JSON.stringify(next.waitingOn) : null;
        sql.release.run(next.state, waitingOn, next.state === "sleeping" ? next.wakeAt : null, n);
      });
    },
    async signal(runId, { id, name: signalName, payload }) {
      const text = payload === undefined ? null : JSON.stringify(writePlain(payload));
      const isNew = await commits.write(() => {
        const n = numberOf(runId);
        if (sql.insertSignal.run(n, id, signalName, text).changes === 0) return false;
        sql.wake.run(n);
        return true;
      });
      if (isNew) notify(runId);
    },
    takeSignals: (lease) =>
      commits.read(() =>
        sql.inbox.all(heldHead(lease).n).map((row): Signal => ({
          id: row["id"] as string,
          name: row["name"] as string,
          payload: row["payload"] === null ? undefined : (readPlain(JSON.parse(row["payload"] as string)) as unknown),
        })),
      ),
    load: (runId, afterSeq = 0) => commits.read(() => readEvents(runId, afterSeq)),
    get: (runId, key) =>
      commits.read(() => {
        const row = sql.event.get(runId, key);
        return row === undefined ? undefined : (JSON.parse(row["text"] as string) as JournalEvent);
      }),
    getRun: (runId) =>
      commits.read(() => {
        const row = sql.find.get(runId);
        return row === undefined ? undefined : toStoredRun(row);
      }),
    listRuns: ({ tenantId, sessionId, agentId, state, before, limit }) =>
      commits.read(() =>
        sql.list
          .all(tenantId ?? null, sessionId ?? null, agentId ?? null, state ?? null, before ?? null, limit ?? 50)
          .map(toStoredRun),
      ),
    listRunnable: (limit) => commits.read(() => sql.runnable.all(limit).map(toStoredRun)),
    listExpired: (limit) => commits.read(() => sql.expired.all(limit).map(toStoredRun)),
    deleteRun: (runId) =>
      commits.write(() => {
        const row = sql.find.get(runId);
        if (row === undefined) return;
        blobs.removeUnshared(row["n"] as number);
        sql.remove.run(row["n"] as number);
      }),
    subscribe(runId, callback) {
      const callbacks = subscribers.get(runId) ?? new Set();
      subscribers.set(runId, callbacks.add(callback));
      return () => {
        callbacks.delete(callback);
        if (callbacks.size === 0 && subscribers.get(runId) === callbacks) subscribers.delete(runId);
      };
    },
  };
}

function toHex(bytes: unknown): string {
  const view = bytes as Uint8Array;
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString("hex");
}

function broken(runId: string, seq: number): JournalTampered {
  return new JournalTampered(
    runId,
    seq,
    `The hash chain of run "${runId}" breaks at record ${seq}: the file was changed or damaged. Restore it from a backup.`,
  );
}
