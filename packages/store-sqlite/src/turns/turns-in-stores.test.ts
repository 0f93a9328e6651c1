import { memorySessions, memoryStore } from "@bailiwick/core";
import { test } from "vitest";
import { sqliteStore } from "../sqlite-store.ts";
import { temporaryFolder } from "../temporary-store.fixture.ts";
import { forkCases } from "./fork-cases.fixture.ts";
import { turnCases, type TurnPlace } from "./turn-cases.fixture.ts";
import { drawnCases } from "../../../testing/src/drawn-cells.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const apart = (): TurnPlace => ({
  store: memoryStore(),
  session: memorySessions(),
  [Symbol.asyncDispose]: async () => undefined,
});

/** A database; with `split`, for sessions alone. */
async function inDatabase(split: boolean): Promise<TurnPlace> {
  const folder = temporaryFolder();
  const database = sqliteStore({ path: folder.file, logger: quiet });
  return {
    store: split ? memoryStore() : database,
    session: database.sessions,
    async [Symbol.asyncDispose]() {
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}

const places = {
  SQLite: () => inDatabase(false),
  "a separate session store": async () => apart(),
  "sessions in another database": () => inDatabase(true),
};

for (const { name, run } of drawnCases(turnCases(places)))
  test(`${name} [memory.turn-order] [memory.waiting-run]`, run);
for (const { name, run } of drawnCases(forkCases(places))) test(`${name} [run.fork.session]`, run);
