import { memoryStore, type MemoryRunStore } from "@bailiwick/core";
import { deliverWebhook } from "@bailiwick/worker";
import { expect, test } from "vitest";
import { clerk, quiet, receiver, secret } from "./webhook-world.fixture.ts";

/** The bytes that a webhook writes, the rows that it changes, and the runs that it reads, for each event. */
async function costOf(
  events: number,
): Promise<{ readonly bytes: number; readonly rows: number; readonly runs: number }> {
  const inner = memoryStore();
  let bytes = 0;
  let rows = 0;
  let runs = 0;
  const store: MemoryRunStore = {
    ...inner,
    sessions: {
      ...inner.sessions,
      async writeState(id, writes, run) {
        bytes += JSON.stringify(writes.map(({ value }) => value)).length;
        return inner.sessions.writeState(id, writes, run);
      },
    },
    outbox: {
      ...inner.outbox,
      async add(queue, added, before) {
        rows += added.length;
        bytes += JSON.stringify(added).length;
        return inner.outbox.add(queue, added, before);
      },
      async settle(queue, event, againMs) {
        rows += 1;
        return inner.outbox.settle(queue, event, againMs);
      },
    },
    async listRuns(filter) {
      const found = await inner.listRuns(filter);
      runs += found.length;
      return found;
    },
  };
  await using target = await receiver();
  const options = { store, secret, url: target.url, allowHosts: [target.host], logger: quiet };
  await deliverWebhook(options);
  const agent = clerk(inner);
  for (let n = 0; n < events; n += 1) await agent.run("hello");
  [bytes, rows, runs] = [0, 0, 0];
  expect((await deliverWebhook(options)).count).toBe(0);
  expect(new Set(target.received.map(({ headers }) => headers["webhook-id"])).size).toBe(events);
  expect(target.received).toHaveLength(events);
  return { bytes: bytes / events, rows: rows / events, runs: runs / events };
}

test("an event of a webhook costs the same, however many runs have settled [webhook.growth]", async () => {
  const [small, middle, large] = [await costOf(100), await costOf(200), await costOf(400)];
  for (const cost of [middle, large]) {
    expect(cost.bytes).toBeLessThan(small.bytes * 1.3);
    expect(cost.rows).toBe(2);
    expect(cost.runs).toBeLessThan(small.runs * 1.3);
  }
});

test("a run whose end was committed late is found, and one that settled before the first check is not [webhook.events]", async () => {
  const inner = memoryStore();
  let hidden = "";
  const store: MemoryRunStore = {
    ...inner,
    listRuns: async (filter) => (await inner.listRuns(filter)).filter(({ id }) => id !== hidden),
  };
  await using target = await receiver();
  const options = { store, secret, url: target.url, allowHosts: [target.host], logger: quiet };
  const agent = clerk(inner);
  await agent.run("hello");
  // Times are whole milliseconds: the first check comes after that of the run.
  const settledAt = Date.now();
  await expect.poll(() => Date.now() > settledAt).toBe(true);
  await deliverWebhook(options);
  const late = await agent.run("hello");
  hidden = late.runId;
  const later = Date.now();
  await expect.poll(() => Date.now() > later).toBe(true);
  await agent.run("hello");
  await deliverWebhook(options);
  expect(target.received).toHaveLength(1);
  hidden = "";
  await deliverWebhook(options);
  await deliverWebhook(options);
  expect(target.received.map(({ body }) => body.includes(late.runId))).toEqual([false, true]);
});
