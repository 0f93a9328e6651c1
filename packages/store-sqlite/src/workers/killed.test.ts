import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAgentRuntime, memoryStore, type RunStore } from "@bailiwick/core";
import { sqliteStore } from "../sqlite-store.ts";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { worker } from "@bailiwick/worker";
import { concurrency, writingAgent } from "./killed-worker.fixture.ts";

const program = fileURLToPath(new URL("killed-worker.fixture.ts", import.meta.url));
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Maximum number of killed workers: afterwards, the workers live. */
const mostKills = 12;

/** Worker processes on one file, and the lines of their tools. */
function crew() {
  const folder = mkdtempSync(join(tmpdir(), "killed-"));
  const [path, effects, held] = [join(folder, "runs.db"), join(folder, "effects.txt"), join(folder, "held")];
  writeFileSync(effects, "");
  const workers = new Set<ChildProcess>();
  const store = sqliteStore({ path });
  return {
    agent: writingAgent(store, effects),
    held,
    workers,
    start(): void {
      const flags = ["--conditions=@bailiwick/source", "--no-warnings", program];
      const child = spawn(process.execPath, [...flags, path, effects, held], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      workers.add(child);
      child.once("exit", () => workers.delete(child));
    },
    /** The lines, each with its process. */
    written: () =>
      readFileSync(effects, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((text) => text.split(" "))
        .map(([line = "", pid]) => ({ line, pid: Number(pid) })),
    states: async (ids: readonly string[]) =>
      await Promise.all(ids.map(async (id) => (await store.getRun(id))?.state ?? "gone")),
    async [Symbol.asyncDispose](): Promise<void> {
      for (const child of workers) child.kill("SIGKILL");
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isOpen = (state: string): boolean => state !== "completed" && state !== "suspended";

test("workers that are killed at random lose no run and no effect, and repeat none silently [worker.killed]", async () => {
  await using world = crew();
  const ids: string[] = [];
  for (let n = 0; n < 40; n += 1) ids.push((await world.agent.enqueue(`line-${n}`)).runId);
  world.start();
  world.start();
  let kills = 0;
  const deadline = performance.now() + 240_000;
  while ((await world.states(ids)).some(isOpen) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 400 + Math.random() * 900));
    const [victim] = [...world.workers].sort(() => Math.random() - 0.5);
    if (kills >= mostKills || victim === undefined) continue;
    kills += 1;
    victim.kill("SIGKILL");
    world.start();
  }
  const states = await world.states(ids);
  expect(states.filter(isOpen)).toEqual([]);
  const lines = world.written().map(({ line }) => line);
  expect(lines.length).toBe(new Set(lines).size);
  for (const [n, state] of states.entries()) if (state === "completed") expect(lines).toContain(`line-${n}`);
});

test("each run whose worker is killed inside an effect asks a person, and no other run does [worker.killed]", async () => {
  await using world = crew();
  writeFileSync(world.held, "");
  const ids: string[] = [];
  for (let n = 0; n < 12; n += 1) ids.push((await world.agent.enqueue(`line-${n}`)).runId);
  const cut = new Set<string>();
  for (let kills = 0; kills < 3; kills += 1) {
    world.start();
    const [victim] = [...world.workers];
    const inside = () => world.written().filter(({ pid }) => pid === victim?.pid);
    // All its calls have written: a call that dies between its start record and its line would ask too.
    await expect.poll(() => inside().length, { interval: 10 }).toBe(concurrency);
    victim?.kill("SIGKILL");
    await expect.poll(() => world.workers.size).toBe(0);
    for (const { line } of inside()) cut.add(line);
  }
  rmSync(world.held);
  world.start();
  await expect.poll(async () => (await world.states(ids)).filter(isOpen)).toEqual([]);
  expect(await world.states(ids)).toEqual(ids.map((_, n) => (cut.has(`line-${n}`) ? "suspended" : "completed")));
  const lines = world.written().map(({ line }) => line);
  expect(lines.toSorted()).toEqual(ids.map((_, n) => `line-${n}`).toSorted());
});

test("while the store cannot be reached, the worker reports it, and drives the runs when it answers again [worker.store-away]", async () => {
  const memory = memoryStore();
  let away = true;
  const store: RunStore = {
    ...memory,
    claim: async (request) => {
      if (away) throw new Error("The database is away.");
      return memory.claim(request);
    },
  };
  const agent = createAgentRuntime({ name: "agent", model: scriptedModel(() => "Done."), store, logger: quiet });
  const { runId } = await agent.enqueue("go");
  await using crew = worker({ agents: [agent], store, stopOn: [], logger: quiet });
  await expect.poll(() => crew.status().storeError?.message).toBe("The database is away.");
  away = false;
  await expect.poll(async () => (await store.getRun(runId))?.state).toBe("completed");
  expect(crew.status().storeError).toBeUndefined();
});
