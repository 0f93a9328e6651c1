import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAgentRuntime, memoryStore, tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { sqliteStore } from "../sqlite-store.ts";
import { again, consume, twoLines } from "./bullmq-consumer.fixture.ts";

const program = fileURLToPath(new URL("bullmq-consumer.fixture.ts", import.meta.url));

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const folder = mkdtempSync(join(tmpdir(), "redis-"));
let server: ChildProcess | undefined;
let redisPort: number;
let connection: Redis;

/** A real Redis on a free port, which stores nothing on disk. */
beforeAll(async () => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const flags = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
  const child = spawn("redis-server", flags, { stdio: ["ignore", "pipe", "inherit"] });
  server = child;
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`Redis ended with code ${String(code)}.`)));
    child.stdout.on("data", (text) => void (String(text).includes("Ready to accept connections") && resolve()));
  });
  redisPort = port;
  connection = new Redis({ host: "127.0.0.1", port, maxRetriesPerRequest: null });
});
afterAll(() => {
  connection.disconnect();
  server?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** An agent that writes its input once, after a short sleep where the input asks for it. */
function clerk(written: string[]) {
  const store = memoryStore();
  const write = tool({
    name: "write",
    description: "Writes a line.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    async execute({ line }, context) {
      if (line.startsWith("later")) await context.sleep({ ms: 300 });
      written.push(line);
      return "written";
    },
  });
  const model = scriptedModel(({ messages, lastUserText }) =>
    messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name: "write", arguments: { line: lastUserText } }] },
  );
  return {
    store,
    agent: createAgentRuntime({ name: "clerk", model, tools: [write], store, logger: quiet, flow: "off" }),
  };
}

test("BullMQ over Redis drives runs by their ids: each once, even if a job is delivered twice, and sleepers at their time [worker.foreign-queues]", async () => {
  const written: string[] = [];
  const { agent, store } = clerk(written);
  const queue = new Queue("runs", { connection });
  const workers = [1, 2].map(
    () =>
      new Worker<{ runId: string }>("runs", ({ data }) => consume(queue, agent, data.runId), {
        connection,
        concurrency: 2,
      }),
  );
  try {
    const ids: string[] = [];
    for (const line of ["one", "two", "three", "later"]) {
      const { runId } = await agent.enqueue(line);
      ids.push(runId);
      // A queue delivers at least once.
      await queue.add("run", { runId }, again);
      await queue.add("run", { runId }, again);
    }
    const states = async (): Promise<readonly (string | undefined)[]> =>
      Promise.all(ids.map(async (id) => (await store.getRun(id))?.state));
    await expect.poll(states).toEqual(["completed", "completed", "completed", "completed"]);
    expect([...written].sort()).toEqual(["later", "one", "three", "two"]);
  } finally {
    await Promise.all(workers.map((one) => one.close(true)));
    await queue.close();
  }
});

test("a BullMQ job that failed before it drove its run is delivered again, and the run is driven once [worker.foreign-queues]", async () => {
  const written: string[] = [];
  const { agent, store } = clerk(written);
  const queue = new Queue("stopped", { connection });
  const { runId } = await agent.enqueue("once");
  await queue.add("run", { runId }, again);
  let failures = 0;
  const worker = new Worker<{ runId: string }>(
    "stopped",
    async ({ data }) => {
      failures += 1;
      // The first delivery fails before it drives the run, as if the process lost its store.
      if (failures === 1) throw new Error("The process was stopped.");
      await consume(queue, agent, data.runId);
    },
    { connection },
  );
  try {
    await expect.poll(async () => (await store.getRun(runId))?.state).toBe("completed");
    expect(failures).toBe(2);
    expect(written).toEqual(["once"]);
  } finally {
    await worker.close(true);
    await queue.close();
  }
});

test("a run whose BullMQ worker is killed in mid-run, three times, is continued by another one that repeats no effect silently [worker.foreign-queues]", async () => {
  const [path, effects] = [join(folder, "runs.db"), join(folder, "effects.txt")];
  writeFileSync(effects, "");
  const queue = new Queue("killed", { connection });
  await using store = sqliteStore({ path });
  const agent = twoLines(store, effects);
  const children: ChildProcess[] = [];
  const start = (holdAt = ""): ChildProcess => {
    const flags = ["--conditions=@bailiwick/source", "--no-warnings", program];
    const child = spawn(process.execPath, [...flags, String(redisPort), queue.name, path, effects, holdAt], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    children.push(child);
    return child;
  };
  const lines = (): string[] => readFileSync(effects, "utf8").split("\n").filter(Boolean);
  /** Starts a worker that stops in one step, and kills it there. */
  const killAt = async (step: string): Promise<void> => {
    const child = start(step);
    await expect.poll(lines).toContain(`${step} ${child.pid}`);
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    expect(await ended).toEqual([null, "SIGKILL"]);
  };
  try {
    const { runId: reading } = await agent.enqueue("a");
    await queue.add("run", { runId: reading }, again);
    for (let kills = 0; kills < 3; kills += 1) await killAt("look-a");
    const { runId: writing } = await agent.enqueue("b");
    await queue.add("run", { runId: writing }, again);
    await killAt("b-1");

    start();
    const state = async (runId: string) => (await store.getRun(runId))?.state;
    await expect.poll(() => state(reading)).toBe("completed");
    await expect.poll(() => state(writing)).toBe("suspended");
    // No write is repeated: the one whose process died in it becomes a question.
    const written = lines().map((line) => line.split(" ")[0] ?? "");
    const effectsOnly = written.filter((line) => !line.startsWith("look"));
    expect([effectsOnly.length, new Set(effectsOnly)]).toEqual([3, new Set(["a-1", "a-2", "b-1"])]);
    expect(await agent.interruptions(writing)).toMatchObject([{ kind: "unknown_outcome" }]);
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await queue.close();
  }
});
