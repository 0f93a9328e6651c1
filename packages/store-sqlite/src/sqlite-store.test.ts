import { storeConformance } from "@bailiwick/testing/conformance";
import { describe, expect, test } from "vitest";
import { sqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

describe("the store in a SQLite file", () => {
  const cases = storeConformance(() => {
    const folder = temporaryFolder();
    const store = sqliteStore({ path: folder.file });
    return {
      store,
      again: () => sqliteStore({ path: folder.file }),
      async dispose() {
        await store.close();
        folder[Symbol.dispose]();
      },
    };
  });
  for (const one of cases) test(`${one.name} (sqlite)`, one.run);
});

test.each([
  [{ file: "runs.db" }, `"file" is not an option of sqliteStore()`],
  [{}, `sqliteStore() needs the "path" of its file, or ":memory:".`],
  [{ path: "runs.db", processes: "two" }, `sqliteStore() takes "one" or "many" as "processes", not "two".`],
  [{ path: "runs.db", lockTimeoutMs: "1s" }, `sqliteStore() takes a whole number from 0 as "lockTimeoutMs", not 1s.`],
  ["runs.db", "Write sqliteStore() with { path"],
])("invalid options, %j, are refused before a file is opened", (options, message) => {
  expect(() => sqliteStore(options as never)).toThrow(message);
});
