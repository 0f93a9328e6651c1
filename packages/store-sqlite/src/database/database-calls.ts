import type { DatabaseService } from "../thread/service.ts";
import type { BlobBytes } from "./blob-bytes.ts";
import { blobTable } from "./blobs.ts";
import type { Database } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { Sha256 } from "./hashes.ts";
import { ledgerTable } from "./ledger.ts";
import { memoryCalls, type Overwrite } from "./memories.ts";
import { outboxCalls } from "./outbox.ts";
import { runCalls } from "./runs.ts";
import { sessionTables } from "./sessions.ts";

/** A database in the current format, and the parts that differ between hosts. */
export interface DatabaseParts {
  readonly database: Database;
  /** The store, for errors. */
  readonly name: string;
  readonly commits: GroupCommit;
  readonly sha256: Sha256;
  readonly blobs: BlobBytes;
  readonly overwrite: Overwrite;
  /** Returns a number that increases with each commit of another process. */
  readonly version: () => number;
  readonly shrink: DatabaseService["shrink"];
}

/** All calls of a store, over a database. */
export function databaseCalls({
  database,
  name,
  commits,
  sha256,
  blobs: bytes,
  overwrite,
  version,
  shrink,
}: DatabaseParts): DatabaseService {
  const blobs = blobTable({ database, commits, sha256, bytes });
  const ledger = ledgerTable(database, commits);
  const sessions = sessionTables(database, commits);
  return {
    ...runCalls({ database, name, commits, blobs, ledger, sessions, sha256, version }),
    shrink,
    ...blobs.calls,
    ...ledger.calls,
    ...sessions.calls,
    ...outboxCalls(database, commits),
    ...memoryCalls(database, commits, overwrite),
  };
}
