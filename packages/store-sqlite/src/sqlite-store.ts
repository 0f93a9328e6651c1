import { resolve } from "node:path";
import { checkKnownNames, ConfigurationError } from "@bailiwick/core/store";
import type { Ledger, Logger, MemoryStore, Outbox, RunStore, SessionStore } from "@bailiwick/core/store";
import { checkNodeVersion } from "./node-version.ts";
import type { OpenOptions } from "./database/open-database.ts";
import { openService } from "./database/open-service.ts";
import { toRefused } from "./database/sqlite-failures.ts";
import { ledgerOf } from "./proxy/ledger.ts";
import { memoriesOf } from "./proxy/memories.ts";
import { outboxOf } from "./proxy/outbox.ts";
import { runsOf } from "./proxy/runs.ts";
import { sessionsOf } from "./proxy/sessions.ts";
import { canStartThread, startThread } from "./start-thread.ts";
import { enduringLink } from "./thread/enduring-link.ts";
import { linkInThisThread } from "./link-in-this-thread.ts";
import type { DatabaseLink, ThreadLink } from "./thread/link.ts";
import { toError } from "./thread/to-error.ts";

/** A clock, such as the one that an agent takes. */
interface StoreClock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Options of `sqliteStore`. */
export interface SqliteStoreOptions {
  /**
   * The file; it is created if it does not exist, but its folder is not. `:memory:` keeps everything in this process.
   */
  readonly path: string;
  /**
   * `many` (default): several processes may open the file. `one`: this process locks it for itself, which allows a
   * write-ahead log on older versions of SQLite too.
   */
  readonly processes?: "one" | "many" | undefined;
  /** Time to wait for another process's lock before a call fails, in milliseconds; default 10,000. */
  readonly lockTimeoutMs?: number | undefined;
  /**
   * `false`: this thread does the work, for hosts and bundles without worker threads. Each call blocks it until the data
   * is on disk. Default `true`: a separate thread. A bundle in CommonJS, which does not find the thread's program, works
   * as with `false` and logs a warning.
   */
  readonly thread?: boolean | undefined;
  /** Clock of leases and due times, with `thread: false`. Default: the clock of SQLite, which is the machine's. */
  readonly clock?: StoreClock | undefined;
  /** Receives warnings; default the console. */
  readonly logger?: Pick<Logger, "warn"> | undefined;
}

/** The compiler checks that every option is listed here: an unlisted one would be refused as unknown. */
const optionNames: { readonly [Name in keyof Required<SqliteStoreOptions>]: true } = {
  path: true,
  processes: true,
  lockTimeoutMs: true,
  thread: true,
  clock: true,
  logger: true,
};

/** A run store with its ledger, sessions and memories, in one file. */
export interface SqliteStore extends RunStore, AsyncDisposable {
  readonly ledger: Ledger;
  readonly sessions: SessionStore;
  readonly outbox: Outbox;
  /** Memories for `memory({ store })` of `@bailiwick/memory`. */
  readonly memories: MemoryStore;
  /**
   * Returns the space of deleted data to the file system; returns the number of bytes. Other calls continue in the
   * meantime, except for a file of an older version, which is rewritten the first time.
   *
   * @throws StoreError `STORE_LOCKED`, `STORE_FULL`, `STORE_IO`
   */
  compact(): Promise<{ readonly freedBytes: number }>;
  /**
   * Waits for open writes, then closes the file. A read that still waits for another process then ends with
   * `STORE_CLOSED`.
   */
  close(): Promise<void>;
}

/**
 * Keeps runs, ledger, sessions, memories and blobs in one SQLite file. When a call resolves, its data is on disk; the
 * writes of one turn of the event loop share one transaction. A separate thread does the work, unless `thread` is
 * `false`; this function returns when it has opened the file, and the process ends without waiting for it. If the thread ends, its open calls fail
 * with `STORE_THREAD_ENDED`, and the next call starts a new thread.
 *
 * @param options - The file, and how it is shared.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @throws StoreError `STORE_FOLDER_MISSING`, `STORE_CANNOT_OPEN`, `STORE_NOT_A_DATABASE`, `STORE_FOREIGN`, `STORE_FORMAT`,
 * `STORE_READ_ONLY`, `STORE_LOCKED`, `STORE_CORRUPT`, `STORE_BEHIND`, `STORE_FULL`, `STORE_IO`, `STORE_THREAD_UNAVAILABLE`, `STORE_NODE_TOO_OLD`
 * @example
 * ```ts
 * import { sqliteStore } from "@bailiwick/store-sqlite";
 *
 * await using store = sqliteStore({ path: "./runs.db" });
 * console.log(await store.listRuns({}));
 * ```
 */
export function sqliteStore(options: SqliteStoreOptions): SqliteStore {
  checkOptions(options);
  checkNodeVersion(process.versions);
  const { path, processes = "many", lockTimeoutMs = 10_000, thread = true, clock, logger = console } = options;
  const file = path === ":memory:" ? path : resolve(path);
  const name = `sqlite:${file}`;
  const warn = (text: string): void => logger.warn(text);
  const opening = { path: file, processes, lockTimeoutMs, warn };
  const start = (): ThreadLink => startThread({ ...opening, name });
  if (thread && !canStartThread) warn(inOneThread(name));
  const isHere = !thread || !canStartThread;
  const link = isHere ? openHere(opening, name, clock) : path === ":memory:" ? start() : enduringLink(start, warn);
  return {
    ...runsOf(link),
    name,
    durable: path !== ":memory:",
    ledger: ledgerOf(link),
    sessions: sessionsOf(link),
    memories: memoriesOf(link),
    outbox: outboxOf(link),
    compact: () => compact(link),
    close: link.close,
    [Symbol.asyncDispose]: link.close,
  };
}

function inOneThread(name: string): string {
  return `The store "${name}" works in the thread of your code, because a bundle in CommonJS does not find the program of the store's thread: each call blocks your code until the data is on disk. Leave @bailiwick/store-sqlite out of the bundle ("external"), or pass thread: false.`;
}

/** Opens a file in this thread. */
function openHere(options: OpenOptions, name: string, clock: StoreClock | undefined): DatabaseLink {
  try {
    const now = clock && (() => clock.now());
    return linkInThisThread(openService({ ...options, isInCallersThread: true, clock: now }, name), name);
  } catch (error) {
    throw toError(toRefused(error, name).failure, name);
  }
}

/** Number of pages that are released in one transaction: other calls wait for it. */
const pagesAtOnce = 1_000;

async function compact(link: DatabaseLink): Promise<{ readonly freedBytes: number }> {
  let total = 0;
  for (;;) {
    const { freedBytes, leftPages } = await link.call("shrink", pagesAtOnce);
    total += freedBytes;
    if (leftPages === 0 || freedBytes === 0) return { freedBytes: total };
  }
}

function checkOptions(options: SqliteStoreOptions): void {
  checkKnownNames(options, Object.keys(optionNames), "sqliteStore()");
  const refuse = (why: string): never => {
    throw new ConfigurationError("INVALID_OPTION", `sqliteStore() ${why}.`);
  };
  const given: Partial<SqliteStoreOptions> = options ?? {};
  const { path, processes = "many", lockTimeoutMs = 0, thread = true, clock } = given;
  if (typeof path !== "string" || path === "") refuse(`needs the "path" of its file, or ":memory:"`);
  if (typeof thread !== "boolean") refuse(`takes true or false as "thread", not ${String(thread)}`);
  if (clock !== undefined && thread) refuse(`takes a "clock" only with "thread: false": another thread cannot ask it`);
  if (clock !== undefined && typeof clock.now !== "function") refuse(`takes a "clock" with a function "now"`);
  if (processes !== "many" && processes !== "one")
    refuse(`takes "one" or "many" as "processes", not "${String(processes)}"`);
  if (!Number.isSafeInteger(lockTimeoutMs) || lockTimeoutMs < 0)
    refuse(`takes a whole number from 0 as "lockTimeoutMs", not ${String(lockTimeoutMs)}`);
}
