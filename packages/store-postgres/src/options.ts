import { ConfigurationError, checkKnownNames } from "@bailiwick/core/store";
import type { Logger } from "@bailiwick/core/store";
import type { PostgresPool } from "./connection/postgres-pool.ts";

/** Options of `postgresStore`: a `url`, or a `pool`. */
export interface PostgresStoreOptions {
  /** Address of the database, such as `postgres://user:password@host:5432/app`. The store makes a separate pool for it. */
  readonly url?: string | undefined;
  /** A pool of the application's, such as a `Pool` of `pg`; it is not ended with the store. */
  readonly pool?: PostgresPool | undefined;
  /** The schema of the tables; default `bailiwick`. */
  readonly schema?: string | undefined;
  /**
   * `true` (default): the tables are created, and migrated to the format of this version. `false`: they must exist, as
   * `postgresSchemaSql` describes them, and the store needs no right to create any.
   */
  readonly migrate?: boolean | undefined;
  /**
   * Maximum number of connections of the store's own pool; default 10. One of them listens, unless `notifications` are
   * `poll`.
   */
  readonly maxConnections?: number | undefined;
  /**
   * Time that a call waits for a connection, a lock or the server, in milliseconds. Default 10,000. A restart of the
   * server within this time goes unnoticed.
   */
  readonly timeoutMs?: number | undefined;
  /** Time limit of the server for one statement, in milliseconds. Default 30,000. */
  readonly statementTimeoutMs?: number | undefined;
  /**
   * How signals of other processes are noticed. `listen` (default): at once, through a dedicated connection, and at
   * intervals while that is down. `poll`: only at intervals, for poolers that give each transaction another connection.
   */
  readonly notifications?: "listen" | "poll" | undefined;
  /** Interval between two checks for signals, in milliseconds; default 1,000. */
  readonly pollMs?: number | undefined;
  /** Receives warnings; default the console. */
  readonly logger?: Pick<Logger, "warn"> | undefined;
}

/** The compiler checks that every option is listed here: an unlisted one would be refused as unknown. */
const optionNames: { readonly [Name in keyof Required<PostgresStoreOptions>]: true } = {
  url: true,
  pool: true,
  schema: true,
  migrate: true,
  maxConnections: true,
  timeoutMs: true,
  statementTimeoutMs: true,
  notifications: true,
  pollMs: true,
  logger: true,
};

/**
 * Checks options before anything is opened.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 */
export function checkOptions(given: PostgresStoreOptions | undefined): asserts given is PostgresStoreOptions {
  const options = given ?? {};
  checkKnownNames(options, Object.keys(optionNames), "postgresStore()");
  const { notifications = "listen", migrate = true } = options;
  checkConnections(options);
  if (notifications !== "listen" && notifications !== "poll")
    refuse(`takes "listen" or "poll" as "notifications", not "${String(notifications)}"`);
  if (typeof migrate !== "boolean") refuse(`takes true or false as "migrate", not ${String(migrate)}`);
  checkSchemaName(options.schema ?? "bailiwick", "postgresStore()");
  for (const [name, least] of [
    ["maxConnections", 1],
    ["timeoutMs", 1],
    ["statementTimeoutMs", 1],
    ["pollMs", 10],
  ] as const) {
    const value = options[name];
    // The maximum delay of a Node timer, minus some time for an answer.
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= least && value < 2_147_000_000))
      refuse(`takes a whole number from ${least} as "${name}", not ${String(value)}`);
  }
}

function checkConnections({ url, pool, notifications, maxConnections }: PostgresStoreOptions): void {
  if ((url === undefined) === (pool === undefined))
    refuse(`needs the "url" of a database or a "pool" of connections, and takes one of them`);
  if (url !== undefined && !isUrl(url))
    refuse(`takes a URL such as "postgres://user:password@host:5432/database" as "url"`);
  if (pool !== undefined && (typeof pool !== "object" || pool === null || typeof pool.connect !== "function"))
    refuse(`takes a Pool of pg, or an object with its methods, as "pool"`);
  if (pool !== undefined && maxConnections !== undefined)
    refuse(`takes no "maxConnections" with a "pool": set "max" of the pool instead`);
  if (notifications !== "poll" && (maxConnections ?? pool?.options?.max) === 1)
    refuse(
      `needs at least 2 connections, because one listens for notifications: raise "maxConnections", or set notifications: "poll"`,
    );
}

/**
 * Checks the name of a schema.
 *
 * @param where - The function that it was given to, for the error.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkSchemaName(schema: unknown, where: string): asserts schema is string {
  if (typeof schema === "string" && /^(?!pg_)[a-z_][a-z0-9_]{0,47}$/i.test(schema)) return;
  throw new ConfigurationError(
    "INVALID_OPTION",
    `${where} takes a name of at most 48 letters, digits and underscores as "schema", not beginning with a digit or "pg_"; not ${JSON.stringify(schema)}.`,
  );
}

function isUrl(url: unknown): boolean {
  return typeof url === "string" && /^postgres(?:ql)?:\/\/./.test(url);
}

function refuse(why: string): never {
  throw new ConfigurationError("INVALID_OPTION", `postgresStore() ${why}.`);
}
