import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { postgresStore, type PostgresStore } from "../index.ts";
import { temporarySchema, testUrl } from "../temporary-schema.fixture.ts";
import { pairAgent } from "./worker-process.fixture.ts";

const program = fileURLToPath(new URL("worker-process.fixture.ts", import.meta.url));

interface World extends AsyncDisposable {
  readonly store: PostgresStore;
  readonly effects: string;
  /** Written lines, with the process of each. */
  lines(): readonly { readonly line: string; readonly pid: number }[];
  start(leaseMs: number): ChildProcess;
  readonly processes: Set<ChildProcess>;
}

async function makeWorld(): Promise<World> {
  const place = temporarySchema();
  const folder = mkdtempSync(join(tmpdir(), "worker-processes-"));
  const effects = join(folder, "effects.txt");
  writeFileSync(effects, "");
  const store = postgresStore({ url: testUrl, schema: place.schema });
  await store.listRuns({ limit: 1 });
  const processes = new Set<ChildProcess>();
  return {
    store,
    effects,
    processes,
    lines() {
      const rows = readFileSync(effects, "utf8").split("\n").filter(Boolean);
      return rows.map((row) => ({ line: row.split(" ")[0] ?? "", pid: Number(row.split(" ")[1]) }));
    },
    start(leaseMs) {
      const options = ["--conditions=@bailiwick/source", "--no-warnings", program];
      const child = spawn(process.execPath, [...options, testUrl, place.schema, effects, String(leaseMs)], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      processes.add(child);
      child.once("exit", () => processes.delete(child));
      return child;
    },
    async [Symbol.asyncDispose]() {
      for (const child of processes) child.kill("SIGKILL");
      await store.close();
      await place[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test("workers over PostgreSQL that are killed at random lose no run and no effect, and repeat none silently [worker.killed]", async () => {
  await using world = await makeWorld();
  const { store } = world;
  const agent = pairAgent(store, world.effects, 1_000);
  const ids: string[] = [];
  for (let n = 0; n < 24; n += 1) ids.push((await agent.enqueue(`run-${n}`)).runId);
  for (let count = 0; count < 2; count += 1) world.start(1_000);
  const states = async (): Promise<readonly (string | undefined)[]> =>
    Promise.all(ids.map(async (id) => (await store.getRun(id))?.state));
  let kills = 0;
  const until = performance.now() + 240_000;
  while (
    (await states()).some((state) => state !== "completed" && state !== "suspended") &&
    performance.now() < until
  ) {
    await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 600));
    const victim = [...world.processes][Math.floor(Math.random() * world.processes.size)];
    if (kills >= 8 || victim === undefined) continue;
    kills += 1;
    victim.kill("SIGKILL");
    world.start(1_000);
  }
  expect((await states()).filter((state) => state !== "completed" && state !== "suspended")).toEqual([]);
  const lines = world.lines().map(({ line }) => line);
  expect(lines.length).toBe(new Set(lines).size);
  for (const [n, state] of (await states()).entries())
    if (state === "completed") expect(lines).toEqual(expect.arrayContaining([`run-${n}:1`, `run-${n}:2`]));
});

test("a worker process that gets SIGTERM finishes its step and ends, and another process continues its runs long before the lease would expire [worker.sigterm]", async () => {
  await using world = await makeWorld();
  const leaseMs = 600_000;
  const agent = pairAgent(world.store, world.effects, leaseMs);
  const first = world.start(leaseMs);
  const { runId } = await agent.enqueue("run");
  await expect.poll(() => world.lines().length, { interval: 10 }).toBe(1);
  const ended = once(first, "exit");
  first.kill("SIGTERM");
  expect(await ended).toEqual([null, "SIGTERM"]);
  expect(world.lines()).toHaveLength(1);
  const second = world.start(leaseMs);
  await expect.poll(async () => (await world.store.getRun(runId))?.state).toBe("completed");
  expect(world.lines()).toEqual([
    { line: "run:1", pid: first.pid },
    { line: "run:2", pid: second.pid },
  ]);
  // Works while the second process waits too: it does not poll for a minute.
  const next = await agent.enqueue("woken");
  await expect.poll(async () => (await world.store.getRun(next.runId))?.state).toBe("completed");
});
