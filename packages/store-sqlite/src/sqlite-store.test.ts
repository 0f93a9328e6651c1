import { storeConformance } from "@bailiwick/testing";
import { describe, test } from "vitest";
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
