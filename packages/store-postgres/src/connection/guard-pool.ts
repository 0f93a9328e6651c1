import type { PostgresConnection, PostgresPool } from "./postgres-pool.ts";

/**
 * Prevents a broken idle connection from ending the process: it is replaced on the next use. New connections are
 * guarded when they are made, because one may break before its first use.
 *
 * @returns what ends that.
 */
export function guardPool(pool: PostgresPool): () => void {
  const ignore = (): void => undefined;
  const guard = (connection: PostgresConnection): void => void connection.on("error", ignore);
  pool.on("error", ignore);
  pool.on("connect", guard);
  return () => {
    pool.removeListener("error", ignore);
    pool.removeListener("connect", guard);
  };
}
