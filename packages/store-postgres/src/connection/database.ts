import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { DatabaseFaultError } from "./database-fault.ts";
import type { PostgresConnection, PostgresPool } from "./postgres-pool.ts";
import { asking } from "./statements.ts";
import type { Ask, Row } from "./statements.ts";
import { outcomeUnknown, poolExhausted, storeClosed, toStoreError } from "./store-failures.ts";

/** Settings of a database. */
export interface DatabaseSettings {
  /** The store, for errors. */
  readonly name: string;
  /** Time limit of a call that waits for a connection, a lock or a server that restarts, in milliseconds. */
  readonly timeoutMs: number;
  /** Time limit of one statement on the server, in milliseconds. */
  readonly statementTimeoutMs: number;
}

/** An open transaction. */
export interface Transaction {
  readonly ask: Ask;
  /**
   * The same in each attempt of this write. Rows may carry this mark: an attempt that finds it was committed by an
   * earlier attempt whose answer was lost.
   */
  readonly mark: string;
}

/** Uses a connection, and tries again while the obstacle is temporary. */
export type UseConnection = <T>(longestStatementMs: number, work: (ask: Ask) => Promise<T>) => Promise<T>;

/** Reads and writes, and tries again while the obstacle is temporary. */
export interface Database {
  readonly name: string;
  /** One statement, so all rows belong to one point in time. */
  read(text: string, values?: unknown[]): Promise<readonly Row[]>;
  /** Several statements over one snapshot; they may run several times. */
  readAtOnce<T>(work: (ask: Ask) => Promise<T>): Promise<T>;
  /**
   * One transaction; resolves when it is on disk. The work may run several times, also after a commit whose answer was
   * lost: it changes only the database, and uses `mark` or its own data to find out if it was done before.
   */
  write<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Resolves when all open calls are answered; later calls are refused. */
  close(): Promise<void>;
}

const firstPauseMs = 5;
const longestPauseMs = 250;
/** An answer after the server's own limit will not arrive. */
const graceMs = 5_000;

/**
 * A database behind a pool.
 *
 * @param ready - Called before each use: resolves when the tables exist.
 */
export function createDatabase(
  pool: PostgresPool,
  settings: DatabaseSettings,
  ready: (use: UseConnection) => Promise<void>,
): Database {
  const { name, timeoutMs, statementTimeoutMs } = settings;
  // A process that stops in the middle of a transaction must not block others from its runs.
  const begin = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL statement_timeout = ${statementTimeoutMs}; SET LOCAL lock_timeout = ${timeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${graceMs}; SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'`;
  const beginReading = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${statementTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${graceMs}`;
  let closed = false;
  let underWay = 0;
  let whenIdle: (() => void)[] = [];

  /** A connection of the pool, which may have no limit for the wait. */
  async function take(deadline: number): Promise<PostgresConnection> {
    const connecting = pool.connect();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), Math.max(0, deadline - performance.now()));
    });
    try {
      const taken = await Promise.race([connecting, late]);
      if (taken !== "late") return taken;
    } catch (error) {
      if (isExhausted(pool) && performance.now() >= deadline) throw poolExhausted(name, timeoutMs);
      throw new DatabaseFaultError("connect", error);
    } finally {
      clearTimeout(timer);
    }
    connecting.then((connection) => connection.release()).catch(() => undefined);
    if (isExhausted(pool)) throw poolExhausted(name, timeoutMs);
    throw new DatabaseFaultError("connect", new Error("timeout exceeded when trying to connect"));
  }

  /** Lends a connection to `work`. A connection that was lost, or whose state is unknown, is not used again. */
  async function using<T>(
    deadline: number,
    work: (ask: Ask) => Promise<T>,
    longestMs = statementTimeoutMs + graceMs,
  ): Promise<T> {
    const connection = await take(deadline);
    const ignore = (): void => undefined;
    // The running statement reports the failure.
    connection.on("error", ignore);
    let destroy = true;
    try {
      const value = await work(asking(connection, longestMs));
      destroy = false;
      return value;
    } catch (error) {
      destroy = !(error instanceof Refusal || (error instanceof DatabaseFaultError && !error.lost));
      throw error;
    } finally {
      // A closed one may still receive the reason.
      if (!destroy) connection.removeListener("error", ignore);
      connection.release(destroy);
    }
  }

  async function transact<T>(
    deadline: number,
    mark: string,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return using(deadline, async (ask) => {
      await ask(begin);
      let value: T;
      try {
        value = await work({ ask, mark });
      } catch (error) {
        if (!(error instanceof DatabaseFaultError) || !error.lost) await ask("ROLLBACK");
        if (error instanceof DatabaseFaultError) throw error;
        throw new Refusal(error);
      }
      try {
        await ask("COMMIT");
      } catch (error) {
        throw error instanceof DatabaseFaultError && error.lost ? new LostCommit(error) : error;
      }
      return value;
    });
  }

  /** Tries until it succeeds, the obstacle is permanent, or the time is over. */
  async function insist<T>(attempt: (deadline: number) => Promise<T>): Promise<T> {
    const deadline = performance.now() + timeoutMs;
    let inDoubt = false;
    /**
     * The server's last error: thrown on a time-out, because it explains more than the time-out
     * itself.
     */
    let told: DatabaseFaultError | undefined;
    for (let delay = firstPauseMs; ; delay = Math.min(delay * 2, longestPauseMs)) {
      try {
        return await attempt(deadline);
      } catch (thrown) {
        if (thrown instanceof Refusal) throw thrown.reason;
        inDoubt ||= thrown instanceof LostCommit;
        const error = thrown instanceof LostCommit ? thrown.fault : thrown;
        const passing = error instanceof DatabaseFaultError && error.passing;
        if (error instanceof DatabaseFaultError && error.sqlState !== undefined) told = error;
        const wait = delay * (0.5 + Math.random());
        if (!passing || performance.now() + wait > deadline)
          throw inDoubt ? outcomeUnknown(error, name) : toStoreError(passing ? (told ?? error) : error, name);
        await pause(wait);
      }
    }
  }

  async function counted<T>(work: () => Promise<T>): Promise<T> {
    if (closed) throw storeClosed(name);
    underWay += 1;
    try {
      await ready((longestMs, use) => insist((deadline) => using(deadline, use, longestMs)));
      return await work();
    } finally {
      underWay -= 1;
      if (underWay === 0) for (const resolve of whenIdle.splice(0)) resolve();
    }
  }

  return {
    name,
    read: (text, values) => counted(() => insist((deadline) => using(deadline, (ask) => ask(text, values)))),
    write: (work) =>
      counted(() => {
        const mark = randomUUID();
        return insist((deadline) => transact(deadline, mark, work));
      }),
    readAtOnce: (work) =>
      counted(() =>
        insist((deadline) =>
          using(deadline, async (ask) => {
            await ask(beginReading);
            try {
              const value = await work(ask);
              await ask("COMMIT");
              return value;
            } catch (error) {
              if (!(error instanceof DatabaseFaultError) || !error.lost) await ask("ROLLBACK");
              throw error;
            }
          }),
        ),
      ),
    async close() {
      closed = true;
      if (underWay > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
    },
  };
}

/** The work of a transaction refused; it was rolled back. */
class Refusal extends Error {
  readonly reason: unknown;

  constructor(reason: unknown) {
    super("refused");
    this.reason = reason;
  }
}

/** The connection broke during a commit. */
class LostCommit extends Error {
  readonly fault: DatabaseFaultError;

  constructor(fault: DatabaseFaultError) {
    super(fault.message);
    this.fault = fault;
  }
}

function isExhausted({ totalCount, options }: PostgresPool): boolean {
  return totalCount !== undefined && totalCount >= (options?.max ?? Number.POSITIVE_INFINITY);
}
