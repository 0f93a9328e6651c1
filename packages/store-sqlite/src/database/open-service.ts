import { hash } from "node:crypto";
import type { DatabaseService } from "../thread/service.ts";
import { wholeBlobs } from "./blob-bytes.ts";
import { databaseCalls } from "./database-calls.ts";
import { createGroupCommit } from "./group-commit.ts";
import { openDatabase } from "./open-database.ts";
import { withClock } from "./own-clock.ts";
import { shrinking } from "./shrink.ts";
import type { OpenOptions } from "./open-database.ts";
import { toRefused } from "./sqlite-failures.ts";

/** An open file. */
export interface OpenService {
  readonly calls: DatabaseService;
  /** Called when answers are sent: deferred work is done now. */
  tidy(): void;
  /** Waits for open writes, then closes the file. */
  close(): Promise<void>;
}

/**
 * Number of transactions between two checkpoints. A checkpoint takes tens of milliseconds and runs while no caller
 * waits.
 */
const commitsBetween = 128;

/**
 * Opens a store's file for all calls.
 *
 * @param name - The store, for errors.
 * @throws RefusedError
 */
export function openService(options: OpenOptions, name: string): OpenService {
  const { database, counted } = openDatabase(options, name);
  // A commit moves the log into the file itself only if the log is far larger than usual.
  database.exec("PRAGMA wal_autocheckpoint = 20000");
  const commits = createGroupCommit(database, name, options.lockTimeoutMs, counted);
  const dataVersion = database.prepare("PRAGMA data_version");
  let checkpointAt = commitsBetween;
  return {
    calls: databaseCalls({
      database: options.clock === undefined ? database : withClock(database, options.clock),
      name,
      commits,
      sha256: (data) => hash("sha256", data, "hex"),
      blobs: wholeBlobs(database),
      version: () => Number(dataVersion.get()?.["data_version"]),
      shrink: shrinking(database, name, commits),
      overwrite: (remove) => {
        database.exec("PRAGMA secure_delete = ON");
        try {
          remove();
        } finally {
          database.exec("PRAGMA secure_delete = OFF");
        }
      },
    }),
    tidy() {
      if (commits.count < checkpointAt) return;
      checkpointAt = commits.count + commitsBetween;
      try {
        database.exec("PRAGMA wal_checkpoint(PASSIVE)");
      } catch {
        // The log stays unchanged until the next time.
      }
    },
    async close() {
      await commits.close();
      counted.close();
      try {
        database.close();
      } catch (error) {
        throw toRefused(error, name);
      }
    },
  };
}
