import { memoryStore } from "@bailiwick/core";
import { test } from "vitest";
import { forkCases } from "../../../store-sqlite/src/turns/fork-cases.fixture.ts";
import { turnCases, type TurnPlace } from "../../../store-sqlite/src/turns/turn-cases.fixture.ts";
import { postgresStore } from "../postgres-store.ts";
import { temporarySchema, testUrl } from "../temporary-schema.fixture.ts";
import { drawnCases } from "../../../testing/src/drawn-cells.fixture.ts";

/** A schema; with `split`, for sessions alone. */
async function inSchema(split: boolean): Promise<TurnPlace> {
  const place = temporarySchema();
  const database = postgresStore({ url: testUrl, schema: place.schema });
  return {
    store: split ? memoryStore() : database,
    session: database.sessions,
    async [Symbol.asyncDispose]() {
      await database.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

const places = { PostgreSQL: () => inSchema(false), "sessions in PostgreSQL": () => inSchema(true) };

for (const { name, run } of drawnCases(turnCases(places)))
  test(`${name} [memory.turn-order] [memory.waiting-run]`, run);
for (const { name, run } of drawnCases(forkCases(places))) test(`${name} [run.fork.session]`, run);
