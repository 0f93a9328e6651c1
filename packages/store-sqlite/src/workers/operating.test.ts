import { createAgentRuntime, memoryStore, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { deleteRuns, healthRoutes, retryRun, worker } from "@bailiwick/worker";
import { expect, test } from "vitest";
import { sqliteStore } from "../sqlite-store.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function answering(store: RunStore) {
  return createAgentRuntime({ name: "agent", model: scriptedModel(() => "Done."), store, logger: quiet });
}

/** Kills the process of a run until no worker drives it any more. */
async function makeStuck(store: RunStore, runId: string): Promise<void> {
  const request = { owner: "dead", ttlMs: 1, limit: 1, agents: [{ agentId: "agent" }], maxAttempts: 2 };
  for (let tries = 0; tries < 50; tries += 1) {
    await store.claim({ ...request, suspects: tries % 2 === 1 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    if ((await store.getRun(runId))?.state === "stuck") return;
  }
  throw new Error("The run did not become stuck.");
}

test("stuck runs of all tenants are listed, inspected, retried and discarded [worker.stuck]", async () => {
  for (const store of [memoryStore(), sqliteStore({ path: ":memory:" })]) {
    const agent = answering(store);
    const first = await agent.enqueue("a", { tenantId: "t1", userId: "ada" });
    await makeStuck(store, first.runId);
    const second = await agent.enqueue("b", { tenantId: "t2" });
    await makeStuck(store, second.runId);
    const listed = await store.listRuns({ state: "stuck", allTenants: true });
    expect(listed.map(({ id, tenantId }) => [id, tenantId])).toEqual([
      [second.runId, "t2"],
      [first.runId, "t1"],
    ]);
    expect((await store.queueDepth())[0]).toMatchObject({ stuck: 2 });
    expect((await agent.inspect(first.runId)).run).toMatchObject({ state: "stuck", attempts: 2 });
    await retryRun(store, first.runId);
    await agent.cancel(second.runId, "It ended its process.");
    await using crew = worker({ agents: [agent], store, stopOn: [], logger: quiet });
    await crew.idle();
    expect((await store.getRun(first.runId))?.state).toBe("completed");
    expect((await agent.inspect(second.runId)).output?.status).toBe("cancelled");
    expect(await store.listRuns({ state: "stuck", allTenants: true })).toEqual([]);
  }
});

test("deleteRuns deletes runs that settled before a time, by state and tenant, and leaves driven runs [store.retention]", async () => {
  for (const store of [memoryStore(), sqliteStore({ path: ":memory:" })]) {
    const agent = answering(store);
    for (let n = 0; n < 250; n += 1)
      await store.create({
        id: `old-${n}`,
        agentId: "agent",
        definitionHash: "d",
        sessionId: "s",
        input: n,
        ...(n % 2 === 0 && { tenantId: "t1" }),
      });
    for (let n = 0; n < 250; n += 1) {
      const lease = await store.acquire(`old-${n}`, "o", 60_000);
      if (lease !== null) await store.release(lease, { state: n === 7 ? "failed" : "completed" });
    }
    const driven = await agent.enqueue("driven");
    await store.acquire(driven.runId, "o", 60_000);
    expect(await deleteRuns(store, { olderThanMs: 3_600_000 })).toEqual({ deleted: 0, more: false });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await deleteRuns(store, { olderThanMs: 0, tenantId: "t1", limit: 5 })).toEqual({ deleted: 5, more: true });
    expect(await deleteRuns(store, { olderThanMs: 0, tenantId: "t1" })).toEqual({ deleted: 120, more: false });
    expect(await deleteRuns(store, { olderThanMs: 0 })).toEqual({ deleted: 124, more: false });
    expect((await store.listRuns({ allTenants: true })).map(({ id }) => id)).toEqual([driven.runId, "old-7"]);
    expect(await deleteRuns(store, { olderThanMs: 0, states: ["failed", "stuck", "suspended"] })).toMatchObject({
      deleted: 1,
    });
    await expect(deleteRuns(store, { olderThanMs: 0, states: ["running" as "completed"] })).rejects.toThrow("running");
    await expect(deleteRuns(store, { olderThanMs: 0, states: [] })).rejects.toThrow("empty");
    await store.close?.();
  }
});

test("the probes of a worker follow its state and its store [worker.health]", async () => {
  const memory = memoryStore();
  let away = false;
  const store: RunStore = {
    ...memory,
    claim: async (request) => {
      if (away) throw new Error("The database at 10.0.0.1 is away.");
      return memory.claim(request);
    },
  };
  const crew = worker({ agents: [answering(store)], store, stopOn: [], logger: quiet, pollMs: 10 });
  const probe = healthRoutes(crew);
  const ask = async (path: string): Promise<readonly [number, unknown]> => {
    const response = probe(new Request(`http://worker/probes/${path}`));
    return [response.status, await response.json()];
  };
  await crew.idle();
  expect(await ask("ready")).toMatchObject([200, { state: "running", runs: 0, storeError: null }]);
  away = true;
  await expect.poll(async () => (await ask("ready"))[0]).toBe(503);
  const [status, body] = await ask("health");
  expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringContaining("10.0.0.1")]);
  away = false;
  await expect.poll(async () => (await ask("ready"))[0]).toBe(200);
  const stalled = healthRoutes({ ...crew, status: () => ({ ...crew.status(), lookedAt: 0 }) });
  expect(stalled(new Request("http://worker/health")).status).toBe(503);
  await crew.drain();
  expect(await ask("ready")).toMatchObject([503, { state: "stopped" }]);
  expect((await ask("health"))[0]).toBe(200);
  expect((await ask("other"))[0]).toBe(404);
  expect(probe(new Request("http://worker/ready", { method: "POST" })).status).toBe(405);
  expect(() => healthRoutes(crew, { stalledMs: 0 })).toThrow("stalledMs");
});

test("a worker whose store was closed stops with the error instead of retrying forever [worker.store-closed]", async () => {
  const store = sqliteStore({ path: ":memory:" });
  const agent = answering(store);
  const crew = worker({ agents: [agent], store, stopOn: [], logger: quiet, pollMs: 10 });
  await crew.idle();
  const probe = healthRoutes(crew);
  await store.close();
  await expect(crew.stopped).rejects.toMatchObject({ code: "STORE_CLOSED" });
  await expect(crew.idle()).rejects.toMatchObject({ code: "STORE_CLOSED" });
  expect(crew.status()).toMatchObject({ state: "stopped", storeError: { code: "STORE_CLOSED" } });
  expect(probe(new Request("http://localhost/health")).status).toBe(503);
  await crew.drain();
});
