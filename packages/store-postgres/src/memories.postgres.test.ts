import { memoryConformance } from "@bailiwick/testing/conformance";
import { describe, expect, test } from "vitest";
import { cuttingLink } from "./cutting-link.fixture.ts";
import { postgresStore } from "./postgres-store.ts";
import { temporarySchema, testUrl } from "./temporary-schema.fixture.ts";

describe("memories in PostgreSQL [feature:X097]", () => {
  const cases = memoryConformance(
    () => {
      const place = temporarySchema();
      const open = () => postgresStore({ url: testUrl, schema: place.schema });
      const store = open();
      return {
        memories: store.memories,
        again: open,
        async dispose() {
          await store.close();
          await place[Symbol.asyncDispose]();
        },
      };
    },
    { runs: 10 },
  );
  for (const one of cases) test(`${one.name} (postgres)`, one.run);
});

test("the connection breaks after the commit of a memory: it is found to be done, and done once [feature:X097] [memory.store]", async () => {
  await using place = temporarySchema();
  await using link = await cuttingLink();
  await using store = postgresStore({ url: link.url, schema: place.schema, notifications: "poll", timeoutMs: 30_000 });
  await store.open();
  const scope = { tenantId: "t", userId: "ana" };
  const entry = (id: string, text: string, kind: "semantic" | "working" = "semantic") => ({
    id,
    kind,
    text,
    name: "home",
    scope,
    label: { integrity: "user", readers: ["user:ana"] } as const,
    validFrom: 1,
    recordedAt: 1,
    source: { runId: "r", seq: 1 },
  });
  const { memories } = store;
  link.loseNextCommit();
  await memories.put(entry("a", "Lyon"));
  link.loseNextCommit();
  await memories.supersede("a", entry("b", "Rome"));
  expect((await memories.get("a", scope))?.supersededBy).toBe("b");
  link.loseNextCommit();
  expect([...(await memories.forget("b", scope))].toSorted()).toEqual(["a", "b"]);
  await memories.put(entry("w1", "old", "working"));
  link.loseNextCommit();
  await memories.supersede("w1", entry("w2", "new", "working"));
  link.loseNextCommit();
  expect(await memories.forgetAll(scope)).toBe(1);
  expect(link.cuts).toBe(5);
});
