import { memoryStore } from "@bailiwick/core";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { test } from "vitest";
import { expectBoundedWork } from "./bounded-work.fixture.ts";

test("a request to the studio reads no more of a large store than of a small one", async () => {
  await expectBoundedWork(memoryStore(), { few: 1_500, many: 4_500 });
  await using store = sqliteStore({ path: ":memory:" });
  await expectBoundedWork(store, { few: 1_500, many: 4_500 });
});
