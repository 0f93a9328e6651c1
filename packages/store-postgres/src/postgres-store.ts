import type { Ledger, MemoryStore, Outbox, RunStore, SessionStore } from "@bailiwick/core/store";
import { blobsOf } from "./blobs.ts";
import { createDatabase } from "./connection/database.ts";
import { makePool } from "./connection/make-pool.ts";
import { createNotices } from "./inbox/notices.ts";
import { inboxOf } from "./inbox/inbox.ts";
import { createGroupCommit } from "./journal/group-commit.ts";
import { recordsOf } from "./journal/records.ts";
import { writeGroup } from "./journal/write-group.ts";
import { ledgerOf } from "./ledger.ts";
import { outboxOf } from "./outbox.ts";
import { checkOptions } from "./options.ts";
import type { PostgresStoreOptions } from "./options.ts";
import { memoriesOf } from "./memories/memories.ts";
import { deletionOf } from "./runs/deletion.ts";
import { creationOf } from "./runs/creation.ts";
import { leasesOf } from "./runs/leases.ts";
import { listingsOf } from "./runs/listings.ts";
import { searchOf } from "./runs/search.ts";
import { queueOf } from "./runs/queue.ts";
import { createOpening } from "./schema/open-schema.ts";
import { tablesIn } from "./schema/tables.ts";
import { sessionsOf } from "./sessions/sessions.ts";
import type { PostgresConnection, PostgresPool } from "./connection/postgres-pool.ts";

/** A run store with its ledger, sessions and memories, in one schema of a PostgreSQL database. */
export interface PostgresStore extends RunStore, AsyncDisposable {
  readonly ledger: Ledger;
  readonly sessions: SessionStore;
  readonly outbox: Outbox;
  /** Memories for `memory({ store })` of `@bailiwick/memory`. */
  readonly memories: MemoryStore;
  /**
   * Connects, and creates or migrates the tables. Every other call does so too; call this to learn of a failure at
   * the start.
   *
   * @throws StoreError
   */
  open(): Promise<void>;
  /** Waits for open writes, then closes the connections that the store made. */
  close(): Promise<void>;
}

/**
 * Keeps runs, ledger, sessions, memories and blobs in PostgreSQL, 13 or newer, for any number of processes on any
 * number of machines. When a call resolves, its data is committed and on disk; the writes of one turn of the event loop
 * share one transaction. A call connects on demand, retries while a server restarts, and after a lost answer finds out
 * if it was written.
 *
 * @param options - The database, or a pool of connections to it, and how it is used.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @example
 * ```ts
 * import { postgresStore } from "@bailiwick/store-postgres";
 *
 * export async function listed(url: string) {
 *   await using store = postgresStore({ url });
 *   return await store.listRuns({});
 * }
 * ```
 */
export function postgresStore(options: PostgresStoreOptions): PostgresStore {
  checkOptions(options);
  const { url = "", schema = "bailiwick", timeoutMs = 10_000, statementTimeoutMs = 30_000, logger = console } = options;
  const own = options.pool === undefined ? makePool(url, options.maxConnections ?? 10, timeoutMs) : undefined;
  const pool = options.pool ?? own?.pool;
  if (pool === undefined) throw new TypeError("There is no pool.");
  const name = nameOf(options.pool === undefined ? url : undefined, schema);
  const warn = (text: string): void => logger.warn(text);
  const opening = createOpening({ name, schema, migrate: options.migrate ?? true, warn });
  const database = createDatabase(pool, { name, timeoutMs, statementTimeoutMs }, opening);
  const tables = tablesIn(schema);
  const notices = createNotices(database, tables, {
    pool,
    schema,
    listens: options.notifications !== "poll",
    pollMs: options.pollMs ?? 1_000,
  });
  const commits = createGroupCommit((jobs) => writeGroup(database, tables, jobs, notices));
  const creation = creationOf(database, tables, notices);
  const unguard = guardPool(pool);

  let closing: Promise<void> | undefined;
  async function end(): Promise<void> {
    notices.close();
    await commits.idle();
    await creation.idle();
    await database.close();
    if (own === undefined) return unguard();
    // It stays guarded: while its connections close, the server may still report its shutdown.
    await own.end();
  }
  const close = (): Promise<void> => (closing ??= end());

  return {
    create: creation.create,
    ...leasesOf(database, tables),
    ...queueOf(database, tables, notices),
    ...recordsOf(database, tables, commits, notices),
    ...inboxOf(database, tables, notices),
    ...listingsOf(database, tables),
    ...searchOf(database, tables),
    ...deletionOf(database, tables),
    ...blobsOf(database, tables),
    name,
    durable: true,
    ledger: ledgerOf(database, tables),
    sessions: sessionsOf(database, tables),
    memories: memoriesOf(database, tables),
    outbox: outboxOf(database, tables),
    async open() {
      await database.read("SELECT 1");
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Address of the store, without user and password. */
function nameOf(url: string | undefined, schema: string): string {
  if (url === undefined || !URL.canParse(url)) return `postgres:${schema}`;
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}/${schema}`;
}

/**
 * Prevents a broken idle connection from ending the process: it is replaced on the next use. New connections are
 * guarded when they are made, because one may break before its first use.
 *
 * @returns what ends that.
 */
function guardPool(pool: PostgresPool): () => void {
  const ignore = (): void => undefined;
  const guard = (connection: PostgresConnection): void => void connection.on("error", ignore);
  pool.on("error", ignore);
  pool.on("connect", guard);
  return () => {
    pool.removeListener("error", ignore);
    pool.removeListener("connect", guard);
  };
}
