import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Ground } from "../../../store-sqlite/src/crash/ground.fixture.ts";
import { postgresStore } from "../postgres-store.ts";
import { statement, temporarySchema, testUrl } from "../temporary-schema.fixture.ts";

const tables = ["runs", "events", "inbox", "ledger", "sessions", "session_messages"];

/** Schemas of one database. */
export const postgresGround: Ground = {
  program: fileURLToPath(new URL("acting-process.fixture.ts", import.meta.url)),
  open: (schema) => postgresStore({ url: testUrl, schema }),
  async makePlace() {
    const place = temporarySchema();
    const path = mkdtempSync(join(tmpdir(), "bailiwick-postgres-"));
    return {
      place: place.schema,
      path,
      stored: () =>
        Promise.all(
          tables.map(
            async (table) =>
              [table, JSON.stringify(await statement(`SELECT * FROM "${place.schema}".${table}`))] as const,
          ),
        ),
      async [Symbol.asyncDispose]() {
        rmSync(path, { recursive: true, force: true });
        await place[Symbol.asyncDispose]();
      },
    };
  },
};
