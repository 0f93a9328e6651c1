import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { sqliteStore } from "../sqlite-store.ts";
import { temporaryFolder } from "../temporary-store.fixture.ts";
import { continueDesk, writtenAtOf } from "./older-desk.fixture.ts";

// The files were made by running older versions, not by hand.
test.each([1, 2])(
  "a file with journals of format %i keeps its conversations, and its waiting run is decided [format.journal-words]",
  async (format) => {
    using folder = temporaryFolder();
    const text = readFileSync(new URL(`journal-${format}.fixture.sql`, import.meta.url), "utf8");
    const database = new DatabaseSync(folder.file);
    database.exec(text);
    database.close();
    await using store = sqliteStore({ path: folder.file });
    await continueDesk(store, writtenAtOf(text));
  },
);
