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
import { writingAgent } from "./killed-worker.fixture.ts";

const program = fileURLToPath(new URL("killed-worker.fixture.ts", import.meta.url));
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Kills of workers at most: after them, the workers live. */
const mostKills = 12;

test("workers that are killed at random lose no run and no effect, and repeat none silently [worker.killed]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "killed-"));
  const [path, effects] = [join(folder, "runs.db"), join(folder, "effects.txt")];
  writeFileSync(effects, "");
  const workers = new Set<ChildProcess>();
  const start = (): void => {
    const child = spawn(process.execPath, ["--conditions=@bailiwick/source", "--no-warnings", program, path, effects], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    workers.add(child);
    child.once("exit", () => workers.delete(child));
  };
  const store = sqliteStore({ path });
  try {
    const agent = writingAgent(store, effects);
    const ids: string[] = [];
    for (let n = 0; n < 40; n += 1) ids.push((await agent.enqueue(`line-${n}`)).runId);
    start();
    start();
    const open = async (): Promise<number> => {
      const states = await Promise.all(ids.map(async (id) => (await store.getRun(id))?.state));
      return states.filter((state) => state !== "completed" && state !== "suspended").length;
    };
    let kills = 0;
    const deadline = performance.now() + 150_000;
    while ((await open()) > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 400 + Math.random() * 900));
      const [victim] = [...workers].sort(() => Math.random() - 0.5);
      if (kills >= mostKills || victim === undefined) continue;
      kills += 1;
      victim.kill("SIGKILL");
      start();
    }
    expect(await open()).toBe(0);
    const lines = readFileSync(effects, "utf8").trim().split("\n");
    expect(lines.length).toBe(new Set(lines).size);
    for (const [n, id] of ids.entries())
      if ((await store.getRun(id))?.state === "completed") expect(lines).toContain(`line-${n}`);
  } finally {
    for (const child of workers) child.kill("SIGKILL");
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 200_000);

test("while the store is away the worker says so, and drives the runs when it answers again [worker.store-away]", async () => {
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
