import { expect, test } from "vitest";
import { sqliteStore } from "../sqlite-store.ts";
import { temporaryFolder } from "../temporary-store.fixture.ts";
import { drivenWithLimits } from "./limit-cases.fixture.ts";

test("workers on eight connections never exceed the limits of a tenant and an agent [store.claim.limits] [worker.limits]", async () => {
  using folder = temporaryFolder();
  const stores = Array.from({ length: 8 }, () => sqliteStore({ path: folder.file }));
  const { tenants, agent, done } = await drivenWithLimits(stores);
  expect(done).toBe(36);
  expect(Object.keys(tenants).toSorted()).toEqual(["t0", "t1", "t2"]);
  for (const most of Object.values(tenants)) expect(most).toBeLessThanOrEqual(2);
  expect(agent).toBeLessThanOrEqual(5);
  await Promise.all(stores.map((store) => store.close()));
});
