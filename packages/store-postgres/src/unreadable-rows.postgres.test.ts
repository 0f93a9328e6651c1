import { test } from "vitest";
import { runsWithRow, unreadableRows } from "../../store-sqlite/src/unreadable-rows.fixture.ts";
import { postgresStore } from "./index.ts";
import { statement, temporarySchema, testUrl } from "./temporary-schema.fixture.ts";

test.each(unreadableRows)(
  "%s in the table of messages does not stop the session's runs (postgres) [memory.session-store.readable]",
  async (_name, text, fate) => {
    await using place = temporarySchema();
    await using store = postgresStore({ url: testUrl, schema: place.schema });
    await runsWithRow(
      store.sessions,
      async (row) => {
        await statement(`UPDATE "${place.schema}".session_messages SET text = $1 WHERE position = 0`, [row]);
      },
      text,
      fate,
    );
  },
);
