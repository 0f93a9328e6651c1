/**
 * Runs, sessions, memories, ledger and blobs in one SQLite file.
 *
 * @module
 */
export { sqliteStore } from "./sqlite-store.ts";
export type { SqliteStore, SqliteStoreOptions } from "./sqlite-store.ts";
