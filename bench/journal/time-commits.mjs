// Loaded before a program (--import), in each of its threads: how long every COMMIT took, wherever it ran.
import { DatabaseSync } from "node:sqlite";
import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";

const name = "bailiwick-bench-commits";
/** The first place counts, the others are times in milliseconds. */
const most = 1_000_000;
if (isMainThread) setEnvironmentData(name, new SharedArrayBuffer(8 * (most + 1)));
const times = new Float64Array(getEnvironmentData(name));

const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function timed(sql) {
  const statement = prepare.call(this, sql);
  if (sql === "COMMIT") {
    const run = statement.run.bind(statement);
    statement.run = () => {
      const startedAt = performance.now();
      const result = run();
      times[0] += 1;
      times[Math.min(times[0], most)] = performance.now() - startedAt;
      return result;
    };
  }
  return statement;
};

/** Transactions so far. */
export const commitCount = () => times[0];
/** Times of the transactions since a count, in milliseconds, the shortest first. */
export const commitTimes = (since) => [...times.subarray(since + 1, times[0] + 1)].sort((a, b) => a - b);
