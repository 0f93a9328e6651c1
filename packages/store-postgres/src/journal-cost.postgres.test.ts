import { createAgentRuntime, tool } from "@bailiwick/core";
import type { RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { postgresStore } from "./postgres-store.ts";
import { heldRun, note } from "./records.fixture.ts";
import { statement, temporarySchema, testUrl } from "./temporary-schema.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Number of transactions that wrote the records of a schema: each row names its transaction. */
async function transactionsIn(schema: string): Promise<number> {
  const [row] = await statement(`SELECT count(DISTINCT xmin::text)::int AS count FROM "${schema}".events`);
  return row?.["count"] as number;
}

/** Calls a tool a given number of times in each of some turns, then answers. */
async function runTurns(store: RunStore, turns: number, calls: number, writer: boolean): Promise<void> {
  let turn = 0;
  const model = scriptedModel(() => {
    turn += 1;
    return turn > turns
      ? "Done."
      : { toolCalls: Array.from({ length: calls }, (_, n) => ({ name: "act", arguments: { n: turn * 100 + n } })) };
  });
  const act = tool({
    name: "act",
    description: "Acts.",
    inputSchema: z.object({ n: z.number() }),
    sideEffectClass: writer ? "external-stateful" : "read-only",
    execute: ({ n }) => `value ${n}`,
  });
  const agent = createAgentRuntime({ name: "acting", model, tools: [act], store, logger: quiet, maxTurns: turns + 1 });
  expect((await agent.run("go")).status).toBe("completed");
}

test.each([
  ["one reader", 1, false, 2],
  ["eight readers", 8, false, 2],
  ["one writer", 1, true, 3],
  ["four writers", 4, true, 6],
] as const)(
  "a turn with %s takes no more transactions than its budget (postgres) [feature:X097] [journal.commits-per-turn]",
  async (_what, calls, writer, budget) => {
    const used: number[] = [];
    for (const turns of [3, 8]) {
      await using place = temporarySchema();
      await using store = postgresStore({ url: testUrl, schema: place.schema });
      await runTurns(store, turns, calls, writer);
      used.push(await transactionsIn(place.schema));
    }
    const [few = 0, many = 0] = used;
    expect((many - few) / 5).toBeLessThanOrEqual(budget);
    expect((many - few) / 5).toBeGreaterThanOrEqual(1);
  },
);

test("the appends of one turn of the event loop, of all runs of the process, are one transaction (postgres) [feature:X097] [store.append.group-commit]", async () => {
  await using place = temporarySchema();
  await using store = postgresStore({ url: testUrl, schema: place.schema });
  const leases = await Promise.all(Array.from({ length: 60 }, (_, n) => heldRun(store, `r${n}`)));
  await Promise.all(leases.map((lease) => store.append(lease, [note(lease.runId, 1), note(lease.runId, 2)])));
  expect(await transactionsIn(place.schema)).toBe(1);
});

test("a run that PostgreSQL refuses does not affect other runs of its transaction [feature:X097] [store.append.group-commit]", async () => {
  await using place = temporarySchema();
  await using store = postgresStore({ url: testUrl, schema: place.schema });
  const leases = await Promise.all(["a", "b", "c"].map((id) => heldRun(store, id)));
  // Beyond what an index holds, also when it is compressed.
  const long = Array.from({ length: 2_000 }, (_, n) => (n * 7_919).toString(36)).join("");
  const results = await Promise.allSettled(
    leases.map((lease) => store.append(lease, [{ ...note(lease.runId, 1), key: lease.runId === "b" ? long : "k" }])),
  );
  expect(results).toMatchObject([
    { status: "fulfilled" },
    { status: "rejected", reason: { code: "STORE_TOO_LONG" } },
    { status: "fulfilled" },
  ]);
  expect(await store.load("b")).toEqual([]);
  expect(await store.load("c")).toHaveLength(1);
});
