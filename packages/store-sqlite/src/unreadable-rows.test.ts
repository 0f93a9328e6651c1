import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { sqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";
import { runsWithRow, unreadableRows } from "./unreadable-rows.fixture.ts";

test.each(unreadableRows)(
  "%s in the table of messages does not stop the session's runs [memory.session-store.readable]",
  async (_name, text, fate) => {
    using folder = temporaryFolder();
    await using store = sqliteStore({ path: folder.file });
    await runsWithRow(
      store.sessions,
      (row) => {
        const raw = new DatabaseSync(folder.file);
        raw.prepare("UPDATE session_messages SET text = ? WHERE position = 0").run(row);
        raw.close();
      },
      text,
      fate,
    );
  },
);
