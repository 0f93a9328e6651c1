import { createAgentRuntime, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { driveDue, worker, type DrivenRunReport } from "@bailiwick/worker";
import { expect, test } from "vitest";
import { postgresStore } from "../index.ts";
import { statement, temporarySchema, testUrl } from "../temporary-schema.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function answering(store: RunStore, name: string, instructions = "Answer."): AgentRuntime {
  return createAgentRuntime({ name, instructions, model: scriptedModel(() => "Done."), store, logger: quiet });
}

test("10,000 ready runs of an agent that no worker drives keep no other run waiting [worker.agents]", async () => {
  await using place = temporarySchema();
  await using store = postgresStore({ url: testUrl, schema: place.schema });
  const retired = answering(store, "retired");
  const { runId: pattern } = await retired.enqueue("old");
  const columns = await statement(
    `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns WHERE table_schema = $1 AND table_name = 'runs' AND column_name NOT IN ('n', 'id')`,
    [place.schema],
  );
  const names = String(columns[0]?.["names"]);
  await statement(
    `INSERT INTO "${place.schema}".runs (id, ${names}) SELECT 'old-' || i, ${names} FROM "${place.schema}".runs, generate_series(1, 9999) AS i WHERE id = $1`,
    [pattern],
  );
  const agent = answering(store, "current");
  const { runId } = await agent.enqueue("now");
  expect(await driveDue({ agents: [agent], store, limit: 1 })).toMatchObject([{ runId }]);
  expect(await store.queueDepth()).toMatchObject([{ agentId: "retired", queued: 10_000 }]);
  const [plan] = await statement(
    `EXPLAIN (FORMAT JSON) SELECT id FROM "${place.schema}".runs WHERE agent_id = 'current' AND state = 'queued' AND due_at IS NULL AND parent_run IS NULL ORDER BY priority DESC, n LIMIT 8`,
  );
  expect(JSON.stringify(plan)).toContain("runs_queued");
});

test("two workers with other code each drive the runs of one definition [worker.definitions]", async () => {
  await using place = temporarySchema();
  await using one = postgresStore({ url: testUrl, schema: place.schema });
  await using two = postgresStore({ url: testUrl, schema: place.schema });
  const old = answering(one, "clerk", "Old.");
  const today = answering(two, "clerk", "New.");
  const reports: (readonly [string, DrivenRunReport])[] = [];
  const watch = (who: string) => (run: DrivenRunReport) => void reports.push([who, run]);
  await using first = worker({
    agents: [{ agent: old, definitions: "own" }],
    store: one,
    stopOn: [],
    onRun: watch("old"),
  });
  await using second = worker({
    agents: [{ agent: today, definitions: "own" }],
    store: two,
    stopOn: [],
    onRun: watch("new"),
  });
  const expected = new Map<string, string>();
  for (let n = 0; n < 12; n += 1) {
    const who = n % 2 === 0 ? "old" : "new";
    expected.set((await (who === "old" ? old : today).enqueue(`${n}`)).runId, who);
  }
  await expect.poll(() => reports.length).toBe(12);
  for (const [who, { runId, output }] of reports) {
    expect(who).toBe(expected.get(runId));
    expect(output?.status).toBe("completed");
  }
  expect([first.status().state, second.status().state]).toEqual(["running", "running"]);
});

test("workers that share a queue collide on less than one run in a hundred [worker.collisions]", async () => {
  await using place = temporarySchema();
  await using one = postgresStore({ url: testUrl, schema: place.schema });
  await using two = postgresStore({ url: testUrl, schema: place.schema });
  const total = 200;
  const agent = answering(one, "clerk");
  for (let n = 0; n < total; n += 1) await agent.enqueue(`${n}`);
  const reports: DrivenRunReport[] = [];
  const start = (store: typeof one) =>
    worker({
      agents: [answering(store, "clerk")],
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
