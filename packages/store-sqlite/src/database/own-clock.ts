import type { DatabaseSync } from "node:sqlite";
import type { Database } from "./database.ts";
import { now } from "./store-clock.ts";

const functionName = "bailiwick_now";

/**
 * The database with a clock of the caller in place of the store's: statements ask a function of the connection.
 *
 * @param clock - Milliseconds since the epoch.
 */
export function withClock(database: DatabaseSync, clock: () => number): Database {
  database.function(functionName, () => Math.round(clock()));
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql.replaceAll(now, `${functionName}()`)),
  };
}
