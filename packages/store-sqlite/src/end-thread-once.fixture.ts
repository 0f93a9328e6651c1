import { existsSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded before a program and its threads: the first thread that looks for a run with the id "poison" ends as if it
 * were out of memory.
 */
const mark = process.env["THREAD_ENDED_ONCE"] ?? "";
const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function ending(this: DatabaseSync, sql: string) {
  const statement = prepare.call(this, sql);
  if (isMainThread || !sql.startsWith("SELECT * FROM runs WHERE id")) return statement;
  const get = statement.get.bind(statement);
  statement.get = ((id: string) => {
    if (id === "poison" && !existsSync(mark)) {
      writeFileSync(mark, "ended");
      const hoard: unknown[] = [];
      for (;;) hoard.push(Array.from({ length: 10_000 }, (_, n) => ({ n })));
    }
    return get(id);
  }) as typeof get;
  return statement;
};
