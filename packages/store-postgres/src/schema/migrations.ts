import { addMemories } from "./memory-tables.ts";
import { addOutbox } from "./outbox-table.ts";
import { addRunFacts } from "./search-columns.ts";
import { addSessionVersions } from "./session-versions.ts";
import { addStateWords } from "./state-words.ts";
import { addAwaitedBlobs, addOwners, addTrigramIndex, createFirstFormat } from "./steps.ts";
import { addTurns } from "./turns.ts";

/** Steps to each format from the one before it, as SQL. Released steps are never changed. */
const steps: readonly ((schema: string) => string)[] = [
  createFirstFormat,
  addTrigramIndex,
  addMemories,
  addAwaitedBlobs,
  addOwners,
  addRunFacts,
  addStateWords,
  addSessionVersions,
  (schema) => `${addTurns(schema)}\n${addOutbox(schema)}`,
];

/** The newest format that this version reads and writes. */
export const supportedFormat: number = steps.length;

/** Before this format, sessions belonged to their tenant. */
export const formatWithOwners = 5;

/** Tables of the first format: if one exists without a written format, it belongs to another program. */
export const firstTables: readonly string[] = ["runs", "events", "inbox", "ledger", "blobs", "blob_uses", "sessions"];

/**
 * SQL that brings a schema from a format to the current one, to be run in one transaction.
 *
 * @param schema - Its name, quoted.
 * @param from - Its current format; 0 for none.
 */
export function migrationSql(schema: string, from: number): string {
  return [
    ...steps.slice(from).map((step) => step(schema)),
    `INSERT INTO ${schema}.store_format (format) VALUES (${supportedFormat}) ON CONFLICT (one) DO UPDATE SET format = excluded.format;`,
  ].join("\n");
}
