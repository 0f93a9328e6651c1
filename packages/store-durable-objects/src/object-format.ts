import { refuse, steps, type Database } from "@bailiwick/store-sqlite/portable";
import type { ObjectStorage } from "./object-storage.ts";

/** Tables that only a Durable Object has; a new step changes the existing ones. */
const ownSteps: readonly string[] = [
  `CREATE TABLE blob_parts (
     hash TEXT NOT NULL REFERENCES blobs (hash) ON DELETE CASCADE,
     part INTEGER NOT NULL,
     bytes BLOB NOT NULL,
     PRIMARY KEY (hash, part)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE fruitless_wakes (n INTEGER PRIMARY KEY, times INTEGER NOT NULL) STRICT;`,
];

/**
 * Brings the object's tables to the current format. A Durable Object has no `PRAGMA user_version`, so the format is in
 * a table.
 *
 * @throws RefusedError `STORE_FORMAT` for an object that a newer version wrote.
 */
export function migrateObject(storage: ObjectStorage, database: Database, name: string): void {
  storage.transactionSync(() => {
    database.exec("CREATE TABLE IF NOT EXISTS store_format (part TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT");
    const version = (part: string): number =>
      Number(database.prepare("SELECT version FROM store_format WHERE part = ?").get(part)?.["version"] ?? 0);
    const all = [
      { part: "store", own: steps },
      {
        part: "object",
        own: ownSteps.map(
          (text) =>
            (on: Database): void =>
              on.exec(text),
        ),
      },
    ];
    for (const { part, own } of all) {
      const found = version(part);
      if (found > own.length) {
        throw refuse(
          "STORE_FORMAT",
          `The store "${name}" was written in format ${found} of "${part}"; this version reads up to ${own.length}. Use a newer version of @bailiwick/store-durable-objects.`,
        );
      }
      for (const step of own.slice(found)) step(database);
      database
        .prepare(
          "INSERT INTO store_format (part, version) VALUES (?, ?) ON CONFLICT DO UPDATE SET version = excluded.version",
        )
        .run(part, own.length);
    }
  });
}
