import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue } from "node:sqlite";

/**
 * Calls back after each statement of this process, from the first `BEGIN IMMEDIATE` on.
 *
 * @returns a function that ends it.
 */
export function countStatements(count: (sql: string) => void): () => void {
  const { exec, prepare } = DatabaseSync.prototype;
  let hasBegun = false;
  const ran = (sql: string): void => {
    hasBegun ||= sql.startsWith("BEGIN IMMEDIATE");
    if (hasBegun) count(sql);
  };
  DatabaseSync.prototype.exec = function counted(this: DatabaseSync, sql: string): void {
    exec.call(this, sql);
    ran(sql);
  };
  DatabaseSync.prototype.prepare = function counted(this: DatabaseSync, sql: string) {
    const statement = prepare.call(this, sql);
    const run = statement.run.bind(statement);
    statement.run = ((...values: SQLInputValue[]) => {
      const result = run(...values);
      ran(sql);
      return result;
    }) as typeof run;
    return statement;
  };
  return () => Object.assign(DatabaseSync.prototype, { exec, prepare });
}
