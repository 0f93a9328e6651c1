import type { PostgresConnection, PostgresPool } from "./postgres-pool.ts";

/**
 * Keeps an idle connection that breaks from ending the process: it is replaced when the next one is needed.
 * One may break between its creation and its first use, so new ones are guarded as they are made.
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
