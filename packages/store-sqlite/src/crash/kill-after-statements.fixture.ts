import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue } from "node:sqlite";

/** Loaded before a program: kills its process after so many statements from the first `BEGIN IMMEDIATE` on. */
const after = Number(process.env["KILL_AFTER_STATEMENTS"]);
let statements = -1;
function count(sql: string): void {
  if (statements < 0 && !sql.startsWith("BEGIN IMMEDIATE")) return;
  statements += 1;
  if (statements === after) process.kill(process.pid, "SIGKILL");
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
