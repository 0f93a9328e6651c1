import { memoryConformance } from "@bailiwick/testing/conformance";
import { describe, test } from "vitest";
import { sqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

describe("memories in a SQLite file", () => {
  const cases = memoryConformance(
    () => {
      const folder = temporaryFolder();
      const store = sqliteStore({ path: folder.file });
      return {
        memories: store.memories,
        again: () => sqliteStore({ path: folder.file }),
        async dispose() {
          await store.close();
          folder[Symbol.dispose]();
        },
      };
    },
    { runs: 20 },
  );
  for (const one of cases) test(`${one.name} (sqlite)`, one.run);
});
