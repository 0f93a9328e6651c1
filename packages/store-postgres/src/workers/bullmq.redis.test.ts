import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BailiwickError, createAgentRuntime, memoryStore, tool, type AgentRuntime } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const folder = mkdtempSync(join(tmpdir(), "redis-"));
let server: ChildProcess | undefined;
let connection: Redis;

/** A real Redis on a free port, which keeps nothing on disk. */
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
  connection = new Redis({ host: "127.0.0.1", port, maxRetriesPerRequest: null });
}, 60_000);
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

/** Drives the run of a job, as the guide shows it. */
async function consume(queue: Queue, agent: AgentRuntime, runId: string): Promise<void> {
  try {
    const { wakeAt } = await agent.resume(runId);
    if (wakeAt !== undefined)
      await queue.add("run", { runId }, { delay: Math.max(0, wakeAt - Date.now()), attempts: 100 });
  } catch (error) {
    const retryable = (error as { readonly retryable?: boolean }).retryable === true;
    if (retryable || (BailiwickError.isInstance(error) && error.code === "RUN_BUSY")) throw error;
  }
}

test("BullMQ over Redis drives runs by their ids: each once, also where a job comes twice, and sleepers at their time [worker.foreign-queues]", async () => {
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
      const options = { attempts: 100, backoff: { type: "fixed", delay: 100 } } as const;
      // A queue delivers at least once.
      await queue.add("run", { runId }, options);
      await queue.add("run", { runId }, options);
    }
    const states = async (): Promise<readonly (string | undefined)[]> =>
      Promise.all(ids.map(async (id) => (await store.getRun(id))?.state));
    await expect.poll(states, { timeout: 60_000 }).toEqual(["completed", "completed", "completed", "completed"]);
    expect([...written].sort()).toEqual(["later", "one", "three", "two"]);
  } finally {
    await Promise.all(workers.map((one) => one.close(true)));
    await queue.close();
  }
}, 120_000);

test("a BullMQ job that failed before it drove its run is delivered again, and the run is driven once [worker.foreign-queues]", async () => {
  const written: string[] = [];
  const { agent, store } = clerk(written);
  const queue = new Queue("stopped", { connection });
  const { runId } = await agent.enqueue("once");
  await queue.add("run", { runId }, { attempts: 100, backoff: { type: "fixed", delay: 100 } });
  let failures = 0;
  const worker = new Worker<{ runId: string }>(
    "stopped",
    async ({ data }) => {
      failures += 1;
      // The first delivery fails before it drives the run, as where the process loses its store.
      if (failures === 1) throw new Error("The process was stopped.");
      await consume(queue, agent, data.runId);
    },
    { connection },
  );
  try {
    await expect.poll(async () => (await store.getRun(runId))?.state, { timeout: 60_000 }).toBe("completed");
    expect(failures).toBe(2);
    expect(written).toEqual(["once"]);
  } finally {
    await worker.close(true);
    await queue.close();
  }
}, 120_000);
