import { Pool } from "pg";
import type { PostgresPool } from "./postgres-pool.ts";

/** The store's own pool, and how it ends. */
export interface OwnPool {
  readonly pool: PostgresPool;
  readonly end: () => Promise<void>;
}

/**
 * Makes a pool. It connects when it is first used, and idle connections keep no process alive.
 *
 * @param timeoutMs - Time limit for making a connection, in milliseconds.
 */
export function makePool(url: string, maxConnections: number, timeoutMs: number): OwnPool {
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
    allowExitOnIdle: true,
    fallback_application_name: "bailiwick",
  });
  return { pool, end: () => pool.end() };
}
