import { createAgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { worker } from "@bailiwick/worker";
import { expect, test } from "vitest";
import { sqliteStore } from "../sqlite-store.ts";
import { storeInThisThread } from "../store-in-this-thread.fixture.ts";
import { temporaryFolder } from "../temporary-store.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const answering = (store: RunStore, name: string) =>
  createAgentRuntime({ name, model: scriptedModel(() => "Done."), store, logger: quiet });

test("a run of an agent that no worker has is counted as queued with its age, and driven when a worker has it [worker.agents]", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const { runId } = await answering(store, "absent").enqueue("go");
  const { runId: beside } = await answering(store, "there").enqueue("go");
  {
    await using crew = worker({ agents: [answering(store, "there")], store, stopOn: [], logger: quiet });
    await crew.idle();
  }
  expect((await store.getRun(beside))?.state).toBe("completed");
  expect((await store.getRun(runId))?.state).toBe("queued");
  expect((await store.queueDepth()).filter(({ queued }) => queued > 0)).toMatchObject([
    { agentId: "absent", queued: 1, oldestQueuedId: runId, oldestQueuedAt: expect.any(Number) as number },
  ]);
  await using crew = worker({ agents: [answering(store, "absent")], store, stopOn: [], logger: quiet });
  await crew.idle();
  expect((await store.getRun(runId))?.state).toBe("completed");
});

test("while the disk is full the worker loses no run, and drives them when it has space again [worker.store-away]", async () => {
  using folder = temporaryFolder();
  const { database, store: runs } = storeInThisThread(folder.file);
  const store: RunStore = { ...runs, name: "sqlite:full", durable: true };
  try {
    const agent = createAgentRuntime({
      name: "agent",
      model: scriptedModel(() => "x".repeat(200_000)),
      store,
      logger: quiet,
      timeouts: { storeMs: 200 },
    });
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await agent.enqueue("go")).runId);
    const pages = Number(database.prepare("PRAGMA page_count").get()?.["page_count"]);
    database.exec(`PRAGMA max_page_count = ${pages + 2}`);
    const failures: unknown[] = [];
    await using crew = worker({
      agents: [agent],
      store,
      stopOn: [],
      logger: quiet,
      retry: { firstMs: 50, longestMs: 200 },
      onRun: ({ error }) => void (error !== undefined && failures.push(error)),
    });
    await expect.poll(() => failures.length + (crew.status().storeError === undefined ? 0 : 1)).toBeGreaterThan(0);
    database.exec("PRAGMA max_page_count = 1000000");
    const states = async () => Promise.all(ids.map(async (id) => (await store.getRun(id))?.state));
    await expect.poll(states).toEqual(ids.map(() => "completed"));
  } finally {
    await runs.close();
  }
});
