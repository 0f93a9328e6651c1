/**
 * The store without its file and its thread, for other hosts of SQLite. Shared with `@bailiwick/store-durable-objects`;
 * applications use `sqliteStore`.
 *
 * @module
 */
export { wholeBlobs, type BlobBytes } from "./database/blob-bytes.ts";
export { databaseCalls, type DatabaseParts } from "./database/database-calls.ts";
export type { Database, SqlInput, SqlNamed, SqlRow, Statement } from "./database/database.ts";
export type { GroupCommit } from "./database/group-commit.ts";
export type { Sha256 } from "./database/hashes.ts";
export { steps } from "./database/migrations.ts";
export { sqliteCode, toRefused } from "./database/sqlite-failures.ts";
export { ledgerOf } from "./proxy/ledger.ts";
export { memoriesOf } from "./proxy/memories.ts";
export { outboxOf } from "./proxy/outbox.ts";
export { runsOf } from "./proxy/runs.ts";
export { sessionsOf } from "./proxy/sessions.ts";
export { RefusedError, refuse, type Failure } from "./thread/failure.ts";
export type { DatabaseLink } from "./thread/link.ts";
export type { CallName } from "./thread/messages.ts";
export type { DatabaseService } from "./thread/service.ts";
export { toError } from "./thread/to-error.ts";
