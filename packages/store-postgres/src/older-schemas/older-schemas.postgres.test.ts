import { readFileSync } from "node:fs";
import { test } from "vitest";
import { continueDesk, writtenAtOf } from "../../../store-sqlite/src/older-files/older-desk.fixture.ts";
import { postgresStore } from "../index.ts";
import { statement, temporarySchema, testUrl } from "../temporary-schema.fixture.ts";

// The schemas were made by running older versions, and written by pg_dump.
test.each([1, 2])(
  "a schema with journals of format %i keeps its conversations, and its waiting run is decided [format.journal-words]",
  async (format) => {
    await using place = temporarySchema();
    const text = readFileSync(new URL(`journal-${format}.fixture.sql`, import.meta.url), "utf8");
    await statement(text.replaceAll(/\bolder\b/gu, `"${place.schema}"`));
    await using store = postgresStore({ url: testUrl, schema: place.schema });
    await continueDesk(store, writtenAtOf(text));
  },
);
