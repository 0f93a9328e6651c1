import type { DatabaseSync } from "node:sqlite";
import type { DatabaseService } from "../thread/service.ts";
import type { GroupCommit } from "./group-commit.ts";
import { toRefused } from "./sqlite-failures.ts";

/**
 * Makes the call that returns free pages. A file from before stores could do this step by step is rewritten once, which
 * blocks all other calls.
 */
export function shrinking(database: DatabaseSync, name: string, commits: GroupCommit): DatabaseService["shrink"] {
  const valueOf = (pragma: string): number =>
    Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] ?? 0);

  function rewrite(): void {
    try {
      database.exec("PRAGMA auto_vacuum = INCREMENTAL; VACUUM");
    } catch (error) {
      throw toRefused(error, name);
    }
  }

  return async (mostPages) => {
    const pageBytes = valueOf("page_size");
    const before = valueOf("page_count");
    const isIncremental = valueOf("auto_vacuum") === 2;
    // Between two transactions: SQLite rewrites the file outside of one.
    if (!isIncremental && valueOf("freelist_count") > 0) rewrite();
    if (isIncremental) await commits.write(() => database.exec(`PRAGMA incremental_vacuum(${mostPages})`));
    const leftPages = valueOf("freelist_count");
    // The file becomes shorter when the log is moved into it. A reader can prevent this until the next call.
    if (leftPages === 0) database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return { freedBytes: Math.max(0, before - valueOf("page_count")) * pageBytes, leftPages };
  };
}
