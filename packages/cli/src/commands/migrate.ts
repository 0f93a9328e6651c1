import type { Command } from "commander";
import { usageError } from "../command-error.ts";
import { openStore } from "../entry/open-store.ts";
import { exitCodes } from "../exit-codes.ts";
import { action, withJson, type SharedOptions } from "./context.ts";

/** Adds `bailiwick migrate`. */
export function addMigrateCommand(program: Command): void {
  withJson(program.command("migrate"))
    .description("create the tables of a store, or bring them to the format of this version")
    .option("--store <address>", "sqlite:runs.db or postgres://user@host/database?schema=name")
    .option("--sql [schema]", "print the SQL for PostgreSQL instead, for an administrator to run")
    .action(
      action<SharedOptions & { sql?: string | true }>(async ({ terminal, options }) => {
        const { store: address, sql } = options;
        if ((address === undefined) === (sql === undefined))
          throw usageError("Pass --store with the address of the store, or --sql.");
        if (sql !== undefined) {
          const { postgresSchemaSql } = await import("@bailiwick/store-postgres");
          process.stdout.write(`${postgresSchemaSql(sql === true ? undefined : sql)}\n`);
          return exitCodes.done.code;
        }
        const store = await openStore(address ?? "", { migrate: true });
        try {
          await store.listRuns({ allUsers: true, limit: 1 });
          terminal.result({ store: store.name, migrated: true }, () => `${store.name} has the format of this version.`);
        } finally {
          await store.close?.();
        }
        return exitCodes.done.code;
      }),
    );
}
