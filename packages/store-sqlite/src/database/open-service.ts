import type { DatabaseService } from "../thread/service.ts";
import { blobTable } from "./blobs.ts";
import { createGroupCommit } from "./group-commit.ts";
import { ledgerTable } from "./ledger.ts";
import { memoryCalls } from "./memories.ts";
import { openDatabase } from "./open-database.ts";
import type { OpenOptions } from "./open-database.ts";
import { runCalls } from "./runs.ts";
import { sessionTables } from "./sessions.ts";
import { toRefused } from "./sqlite-failures.ts";

/** An open file. */
export interface OpenService {
  readonly calls: DatabaseService;
  /** Called when answers are given: what can wait is done now. */
  tidy(): void;
  /** Waits for what is being written, then closes the file. */
  close(): Promise<void>;
}

/** Transactions between two checkpoints, which take tens of milliseconds: nobody waits for an answer meanwhile. */
const commitsBetween = 128;

/**
 * Opens a store's file for everything that can be asked of it.
 *
 * @param name - The store, for errors.
 * @throws Refused
 */
export function openService(options: OpenOptions, name: string): OpenService {
  const database = openDatabase(options, name);
  // Only where the log grew far beyond what is usual, a commit moves it into the file by itself.
  database.exec("PRAGMA wal_autocheckpoint = 20000");
  const commits = createGroupCommit(database, name, options.lockTimeoutMs);
  const blobs = blobTable(database, commits);
  const ledger = ledgerTable(database, commits);
  const sessions = sessionTables(database, commits);
  let checkpointAt = commitsBetween;
  return {
    calls: {
      ...runCalls({ database, name, commits, blobs, ledger, sessions }),
      ...blobs.calls,
      ...ledger.calls,
      ...sessions.calls,
      ...memoryCalls(database, commits),
    },
    tidy() {
      if (commits.count < checkpointAt) return;
      checkpointAt = commits.count + commitsBetween;
      try {
        database.exec("PRAGMA wal_checkpoint(PASSIVE)");
      } catch {
        // The log stays as it is until the next time.
      }
    },
    async close() {
      await commits.close();
      try {
        database.close();
      } catch (error) {
        throw toRefused(error, name);
      }
    },
  };
}
