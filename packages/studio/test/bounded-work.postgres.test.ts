import { postgresStore } from "@bailiwick/store-postgres";
import { test } from "vitest";
import { temporarySchema, testUrl } from "../../store-postgres/src/temporary-schema.fixture.ts";
import { expectBoundedWork } from "./bounded-work.fixture.ts";

test("a request to the studio reads no more of a large PostgreSQL store than of a small one", async () => {
  await using place = temporarySchema();
  await using store = postgresStore({ url: testUrl, schema: place.schema, timeoutMs: 100_000 });
  await expectBoundedWork(store, { few: 1_500, many: 3_000 });
});
