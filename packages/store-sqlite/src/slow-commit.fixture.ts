import { DatabaseSync } from "node:sqlite";

/** Loaded before a program: every `COMMIT` waits for a slow disk, and with it the thread that commits. */
const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function slow(this: DatabaseSync, sql: string) {
  const statement = prepare.call(this, sql);
  if (sql !== "COMMIT") return statement;
  const run = statement.run.bind(statement);
  statement.run = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    return run();
  };
  return statement;
};
