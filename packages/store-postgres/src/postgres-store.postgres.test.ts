import { storeConformance } from "@bailiwick/testing/conformance";
import { describe, test } from "vitest";
import { postgresStore } from "./postgres-store.ts";
import { temporarySchema, testUrl } from "./temporary-schema.fixture.ts";
import { transactionPooler } from "./transaction-pooler.fixture.ts";

describe("the store in PostgreSQL [feature:X097]", () => {
  const cases = storeConformance(
    () => {
      const place = temporarySchema();
      const open = () => postgresStore({ url: testUrl, schema: place.schema });
      const store = open();
      return {
        store,
        again: open,
        async dispose() {
          await store.close();
          await place[Symbol.asyncDispose]();
        },
      };
    },
    { shortTtlMs: 150, runs: 10 },
  );
  for (const one of cases) test(`${one.name} (postgres)`, one.run);
});

describe("the store behind a pooler in transaction mode [feature:X097]", () => {
  const cases = storeConformance(
    () => {
      const place = temporarySchema();
      const pool = transactionPooler(testUrl);
      const open = () => postgresStore({ pool, schema: place.schema, pollMs: 300 });
      const store = open();
      return {
        store,
        again: open,
        async dispose() {
          await store.close();
          await pool[Symbol.asyncDispose]();
          await place[Symbol.asyncDispose]();
        },
      };
    },
    { shortTtlMs: 150, runs: 5 },
  );
  for (const one of cases) test(`${one.name} (pooled postgres)`, one.run);
});
