import { DatabaseSync } from "node:sqlite";
import { vi } from "vitest";
import { openService } from "./database/open-service.ts";
import { runsOf } from "./proxy/runs.ts";
import { linkInThisThread } from "./link-in-this-thread.ts";

/**
 * A store in the test's thread, so that the test can use its connection; only the parts that tests
 * need.
 */
export function storeInThisThread(path: string): {
  readonly database: DatabaseSync;
  readonly store: ReturnType<typeof runsOf> & { close(): Promise<void> };
} {
  const opened: DatabaseSync[] = [];
  const original = DatabaseSync.prototype.exec;
  const spy = vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function exec(
    this: DatabaseSync,
    sql: string,
  ) {
    opened.push(this);
    return original.call(this, sql);
  });
  const name = `sqlite:${path}`;
  const service = openService({ path, processes: "many", lockTimeoutMs: 10_000, warn: () => undefined }, name);
  spy.mockRestore();
  const [database] = opened;
  if (database === undefined) throw new Error("No database was opened.");
  const link = linkInThisThread(service, name);
  return { database, store: { ...runsOf(link), close: link.close } };
}
