import { expect, test } from "vitest";
import { drivenWithLimits } from "../../../store-sqlite/src/workers/limit-cases.fixture.ts";
import { postgresStore } from "../postgres-store.ts";
import { temporarySchema, testUrl } from "../temporary-schema.fixture.ts";

test("workers of eight stores never exceed the limits of a tenant and an agent [store.claim.limits] [worker.limits]", async () => {
  await using place = temporarySchema();
  const stores = Array.from({ length: 8 }, () =>
    postgresStore({ url: testUrl, schema: place.schema, maxConnections: 2 }),
  );
  const { tenants, agent, done } = await drivenWithLimits(stores);
  expect(done).toBe(36);
  for (const most of Object.values(tenants)) expect(most).toBeLessThanOrEqual(2);
  expect(agent).toBeLessThanOrEqual(5);
  await Promise.all(stores.map((store) => store.close()));
});
