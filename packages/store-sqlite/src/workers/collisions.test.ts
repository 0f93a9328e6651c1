import { createAgentRuntime, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { worker, type DrivenRunReport } from "@bailiwick/worker";
import { expect, test } from "vitest";
import { sqliteStore } from "../sqlite-store.ts";
import { temporaryFolder } from "../temporary-store.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function answering(store: RunStore): AgentRuntime {
  return createAgentRuntime({ name: "clerk", model: scriptedModel(() => "Done."), store, logger: quiet });
}

test("workers that share a SQLite file collide on less than one run in a hundred [worker.collisions]", async () => {
  using folder = temporaryFolder();
  await using one = sqliteStore({ path: folder.file });
  await using two = sqliteStore({ path: folder.file });
  const total = 200;
  const agent = answering(one);
  await Promise.all(Array.from({ length: total }, (_, n) => agent.enqueue(`${n}`)));
  const reports: DrivenRunReport[] = [];
  const start = (store: RunStore) =>
    worker({
      agents: [answering(store)],
      store,
      stopOn: [],
      concurrency: 4,
      logger: quiet,
      onRun: (run) => reports.push(run),
    });
  await using first = start(one);
  await using second = start(two);
  await using third = start(one);
  await using fourth = start(two);
  await Promise.all([first, second, third, fourth].map((crew) => crew.idle()));
  const driven = reports.filter(({ output }) => output?.status === "completed").map(({ runId }) => runId);
  expect([driven.length, new Set(driven).size]).toEqual([total, total]);
  expect(reports.length - driven.length).toBeLessThan(total / 100);
});
