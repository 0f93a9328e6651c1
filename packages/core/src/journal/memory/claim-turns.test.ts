import { memoryStore, type ClaimRequest, type RunRecord } from "@bailiwick/core";
import { expect, test } from "vitest";

const record = (id: string, more: Partial<RunRecord> = {}): RunRecord => ({
  id,
  agentId: "a",
  definitionHash: "d",
  sessionId: id,
  input: "Go.",
  ...more,
});

const request: ClaimRequest = {
  owner: "w",
  ttlMs: 60_000,
  limit: 1,
  agents: [{ agentId: "a" }, { agentId: "b" }],
  maxAttempts: 5,
  suspects: false,
};

/** Claims runs until none is left, and ends each at once. */
async function order(store: ReturnType<typeof memoryStore>, limit: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (;;) {
    const { runs } = await store.claim({ ...request, limit });
    if (runs.length === 0) return ids;
    ids.push(...runs.map(({ run }) => run.id));
    for (const { lease } of runs) await store.release(lease, { state: "completed" });
  }
}

test.each([
  [1, 1],
  [1, 8],
  [40, 1],
  [40, 8],
  [600, 1],
  [600, 8],
])(
  "the runs of a small tenant behind %d of each other tenant, claimed %d at once, wait for one run of each tenant [store.claim.turns]",
  async (backlog, limit) => {
    const store = memoryStore();
    const others = [undefined, "big", "bigger"];
    for (let n = 0; n < backlog; n += 1)
      for (const tenantId of others) await store.create(record(`${tenantId}-${n}`, { tenantId }));
    // The others have had turns before the small tenant comes.
    const { runs } = await store.claim({ ...request, limit: Math.min(5, backlog) });
    for (const { lease } of runs) await store.release(lease, { state: "completed" });
    for (let n = 0; n < 3; n += 1) await store.create(record(`small-${n}`, { tenantId: "small" }));
    const ids = await order(store, limit);
    for (let n = 0; n < 3; n += 1) {
      const place = ids.indexOf(`small-${n}`);
      expect(place).toBeGreaterThanOrEqual(0);
      expect(place).toBeLessThan((n + 1) * (others.length + 1));
    }
    // Within a tenant, the order of creation stays.
    const ofBig = ids.filter((id) => id.startsWith("big-")).map((id) => Number(id.slice(4)));
    expect(ofBig).toEqual(ofBig.toSorted((a, b) => a - b));
  },
);

test("the agents of a tenant take turns within its turns, and more agents bring a tenant no more turns [store.claim.turns]", async () => {
  const store = memoryStore();
  for (let n = 0; n < 20; n += 1) await store.create(record(`one-a-${n}`, { tenantId: "one" }));
  for (let n = 0; n < 3; n += 1) await store.create(record(`one-b-${n}`, { tenantId: "one", agentId: "b" }));
  for (let n = 0; n < 6; n += 1) await store.create(record(`two-a-${n}`, { tenantId: "two" }));
  expect((await order(store, 1)).slice(0, 12)).toEqual(
    [0, 1, 2].flatMap((n) => [`one-a-${n}`, `two-a-${2 * n}`, `one-b-${n}`, `two-a-${2 * n + 1}`]),
  );
});

test("a higher priority comes before the turns of tenants, and expired runs before both [store.claim.turns]", async () => {
  const store = memoryStore();
  for (let n = 0; n < 3; n += 1) await store.create(record(`high-${n}`, { tenantId: "one", priority: 5 }));
  await store.create(record("low", { tenantId: "two" }));
  await store.create(record("dead", { tenantId: "one" }), { owner: "gone", ttlMs: 0 });
  expect(await order(store, 2)).toEqual(["dead", "high-0", "high-1", "high-2", "low"]);
});
