import { DatabaseSync } from "node:sqlite";
import { vi } from "vitest";
import { openService } from "./database/open-service.ts";
import { runsOf } from "./proxy/runs.ts";
import { RefusedError } from "./thread/failure.ts";
import type { DatabaseLink } from "./thread/link.ts";
import { toError } from "./thread/to-error.ts";

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
  const link: DatabaseLink = {
    name,
    call: ((call: keyof typeof service.calls, ...args: readonly unknown[]) =>
      (service.calls[call] as (...given: readonly unknown[]) => Promise<unknown>)(...structuredClone(args)).then(
        (value) => structuredClone(value),
        (error: unknown) => {
          throw error instanceof RefusedError ? toError(error.failure, name) : error;
        },
      )) as DatabaseLink["call"],
    close: service.close,
  };
  return { database, store: { ...runsOf(link), close: link.close } };
}
