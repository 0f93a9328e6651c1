import { flushCompileCache } from "node:module";
import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue } from "node:sqlite";
import { sqliteStore } from "../sqlite-store.ts";

/** Opens a store, which migrates its file, and is killed after so many statements from the first `BEGIN IMMEDIATE` on. */
flushCompileCache();
const [path = "", after = "0"] = process.argv.slice(2);
let statements = -1;
function count(sql: string): void {
  if (statements < 0 && !sql.startsWith("BEGIN IMMEDIATE")) return;
  statements += 1;
  if (statements === Number(after)) process.kill(process.pid, "SIGKILL");
}

const { exec, prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function counted(this: DatabaseSync, sql: string): void {
  exec.call(this, sql);
  count(sql);
};
DatabaseSync.prototype.prepare = function counted(this: DatabaseSync, sql: string) {
  const statement = prepare.call(this, sql);
  const run = statement.run.bind(statement);
  statement.run = ((...values: SQLInputValue[]) => {
    const result = run(...values);
    count(sql);
    return result;
  }) as typeof run;
  return statement;
};
const store = sqliteStore({ path });
process.stdout.write("migrated\n");
await store.close();
