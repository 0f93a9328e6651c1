import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sqliteStore } from "../sqlite-store.ts";
import { temporaryFolder } from "../temporary-store.fixture.ts";
import type { Ground } from "./ground.fixture.ts";

/** Files of SQLite, with the files that a write-ahead log and a kill leave beside them. */
export const sqliteGround: Ground = {
  program: fileURLToPath(new URL("acting-process.fixture.ts", import.meta.url)),
  open: (place) => sqliteStore({ path: place }),
  async makePlace() {
    const folder = temporaryFolder();
    return {
      place: folder.file,
      path: folder.path,
      stored: async () =>
        readdirSync(folder.path)
          .filter((name) => name.startsWith("store.db"))
          .map((name) => [name, readFileSync(join(folder.path, name), "latin1")] as const),
      [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
    };
  },
};
