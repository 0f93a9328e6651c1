import type { PostgresConnection, PostgresPool } from "./postgres-pool.ts";

/**
 * Keeps a connection that breaks while nobody uses it from ending the process: it is replaced when the next one is needed.
 * One may break between its making and the turn of whoever asked for it, so new ones are guarded as they are made.
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
