/**
 * Runs, sessions, memories, ledger and blobs in PostgreSQL.
 *
 * @module
 */
export type { PostgresConnection, PostgresPool, PostgresStatement } from "./connection/postgres-pool.ts";
export type { PostgresStoreOptions } from "./options.ts";
export { postgresStore } from "./postgres-store.ts";
export type { PostgresStore } from "./postgres-store.ts";
export { postgresSchemaSql } from "./schema/schema-sql.ts";
