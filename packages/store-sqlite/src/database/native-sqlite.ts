import type * as NodeSqlite from "node:sqlite";

/** The SQLite of Node, loaded with the first file: older versions of Node print a warning when it loads. */
export function nativeSqlite(): typeof NodeSqlite {
  return process.getBuiltinModule("node:sqlite");
}
