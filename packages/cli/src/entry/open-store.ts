import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { RunStore } from "@bailiwick/core";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";

/** Settings of an open store. */
export interface OpenOptions {
  /** Create the tables, or bring them to the format of this version. */
  readonly migrate: boolean;
}

/**
 * Opens the store at an address: `sqlite:path/to/runs.db`, or `postgres://user@host/database`.
 *
 * @throws CommandError `CLI_STORE` for another kind of address, and for a SQLite file that does not exist.
 */
export async function openStore(address: string, { migrate }: OpenOptions): Promise<RunStore> {
  if (/^postgres(?:ql)?:\/\//.test(address)) {
    const { postgresStore } = await import("@bailiwick/store-postgres");
    const url = new URL(address);
    const schema = url.searchParams.get("schema") ?? undefined;
    url.searchParams.delete("schema");
    return postgresStore({ url: url.href, migrate, schema, maxConnections: 3 });
  }
  const path = /^sqlite:(.+)$/.exec(address)?.[1];
  if (path === undefined)
    throw storeError(
      `"${address}" is not the address of a store. Write sqlite:path/to/runs.db or postgres://user@host/database.`,
    );
  const file = resolve(path);
  if (!existsSync(file) && !migrate) throw storeError(`There is no store "${file}". Check the path.`);
  const { sqliteStore } = await import("@bailiwick/store-sqlite");
  return sqliteStore({ path: file });
}

function storeError(message: string): CommandError {
  return new CommandError("CLI_STORE", message, exitCodes.failed.code);
}
