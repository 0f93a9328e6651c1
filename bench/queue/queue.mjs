// Scale figures of the queue: `.ci/postgres pnpm exec node --conditions=@bailiwick/source bench/queue/queue.mjs`.
// Everything at full size, with its tables in a file: bench/queue/all.sh
// Options: --runs N (default 2,000), --stored N (100,000), --sleepers N (10,000), --only drive,claim,sleep,wake,memory.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PgBoss } from "../../packages/store-postgres/node_modules/pg-boss/dist/index.js";
import { worker } from "../../packages/worker/src/index.ts";
import { benchAgent, openStore, quiet } from "./world.mjs";

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const runs = Number(option("runs", 2_000));
const stored = Number(option("stored", 100_000));
const sleepers = Number(option("sleepers", 10_000));
const only = option("only", "drive,claim,sleep,wake,memory").split(",");
const url = process.env.BAILIWICK_POSTGRES_URL;
const folder = mkdtempSync(join(tmpdir(), "queue-"));
let places = 0;
const newPlace = (kind) =>
  kind === "sqlite" ? `sqlite:${join(folder, `${(places += 1)}.db`)}` : `postgres:bench_${process.pid}_${(places += 1)}`;
const kinds = url === undefined ? ["sqlite"] : ["sqlite", "postgres"];
const quantile = (values, part) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts processes, and resolves when all of them work. */
async function start(file, count, args) {
  const seen = new Map();
  let collisions = 0;
  const children = await Promise.all(
    Array.from({ length: count }, () => {
      const child = fork(new URL(file, import.meta.url), args, { execArgv: ["--conditions=@bailiwick/source", "--no-warnings"] });
      return new Promise((resolve) =>
        child.on("message", (message) => {
          if (message.ready) return resolve(child);
          collisions = Math.max(collisions, message.collisions ?? 0);
          seen.set(message.runId, message.at);
        }),
      );
    }),
  );
  return { seen, collisions: () => collisions, stop: () => children.forEach((child) => child.kill("SIGKILL")) };
}

async function until(holds, withinMs = 300_000) {
  const end = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error("It took too long.");
    await pause(10);
  }
}

async function enqueueAll(agent, count, more = () => ({})) {
  for (let from = 0; from < count; from += 200)
    await Promise.all(Array.from({ length: Math.min(200, count - from) }, (_, n) => agent.enqueue("go", more(from + n))));
}

async function drive() {
  console.log("\n| store | processes | runs per second | collisions |\n| --- | --- | --- | --- |");
  for (const kind of kinds) {
    for (const count of [1, 2, 4]) {
      const place = newPlace(kind);
      const store = openStore(place);
      await enqueueAll(benchAgent(store), runs);
      const from = Date.now();
      const crew = await start("worker-process.mjs", count, [place, "16"]);
      await until(() => crew.seen.size >= runs);
      const first = Math.min(...crew.seen.values());
      const rate = runs / ((Math.max(...crew.seen.values()) - Math.min(first, from + 60_000)) / 1_000);
      console.log(`| ${kind} | ${count} | ${rate.toFixed(0)} | ${((crew.collisions() / runs) * 100).toFixed(2)} % |`);
      crew.stop();
      await store.close();
    }
  }
  if (url === undefined) return;
  for (const count of [1, 2, 4]) {
    const schema = `boss_${process.pid}_${count}`;
    const boss = new PgBoss({ connectionString: url, schema, supervise: false, schedule: false });
    await boss.start();
    await boss.createQueue("jobs");
    for (let n = 0; n < runs; n += 1) await boss.send("jobs", { n });
    const crew = await start("boss-process.mjs", count, [schema, "16"]);
    await until(() => crew.seen.size >= runs);
    const times = [...crew.seen.values()];
    const rate = runs / ((Math.max(...times) - Math.min(...times)) / 1_000);
    console.log(`| pg-boss, jobs that do nothing, 16 each half second | ${count} | ${rate.toFixed(0)} | |`);
    crew.stop();
    await boss.stop({ graceful: false });
  }
}

async function claim() {
  console.log("\n| store | stored runs | claim, ms | recover, ms | list of 50, ms | queue depth, ms |\n| --- | --- | --- | --- | --- | --- |");
  for (const kind of kinds) {
    const store = openStore(newPlace(kind));
    const agent = benchAgent(store);
    let there = 0;
    for (const size of [1_000, stored]) {
      for (; there < size; there += 100)
        await Promise.all(
          Array.from({ length: 100 }, async (_, n) => {
            const holder = { owner: "bench", ttlMs: 600_000 };
            const record = { id: `r${there + n}`, agentId: "bench", definitionHash: "d", sessionId: "s", input: "go" };
            const { lease } = await store.create(record, holder);
            await store.release(lease, { state: "completed" });
          }),
        );
      const timed = async (work) => {
        const times = [];
        for (let n = 0; n < 15; n += 1) {
          const from = performance.now();
          await work();
          times.push(performance.now() - from);
        }
        return quantile(times, 0.5).toFixed(2);
      };
      await enqueueAll(agent, 15);
      const request = { owner: "w", ttlMs: 600_000, limit: 1, agents: [{ agentId: "bench" }], maxAttempts: 5, suspects: false };
      const claimed = await timed(() => store.claim(request));
      // Runs of a process that died: their leases have expired.
      for (let n = 0; n < 15; n += 1) {
        const record = { id: `dead${size}-${n}`, agentId: "dead", definitionHash: "d", sessionId: "s", input: "go" };
        await store.create(record, { owner: "dead", ttlMs: 1 });
      }
      await pause(50);
      const recovered = await timed(async () => {
        const { runs: found } = await store.claim({ ...request, agents: [{ agentId: "dead" }] });
        if (found.length !== 1) throw new Error("A run whose process died was not recovered.");
      });
      const listed = await timed(() => store.listRuns({ limit: 50 }));
      console.log(`| ${kind} | ${size} | ${claimed} | ${recovered} | ${listed} | ${await timed(() => store.queueDepth())} |`);
    }
    await store.close();
  }
}

async function sleep() {
  console.log("\n| store | sleepers | over, s | late, ms: half | 99 % | latest |\n| --- | --- | --- | --- | --- | --- |");
  for (const kind of kinds) {
    const place = newPlace(kind);
    const store = openStore(place);
    const overMs = sleepers * 10;
    const base = Date.now() + 15_000 + sleepers;
    const due = new Map();
    for (let from = 0; from < sleepers; from += 200)
      await Promise.all(
        Array.from({ length: Math.min(200, sleepers - from) }, async (_, n) => {
          const at = Math.round(base + ((from + n) / sleepers) * overMs);
          due.set((await benchAgent(store).enqueue("go", { at })).runId, at);
        }),
      );
    if (Date.now() > base) throw new Error("The sleepers were due before all were stored.");
    const crew = await start("worker-process.mjs", 1, [place, "64"]);
    await until(() => crew.seen.size >= sleepers, overMs + 120_000);
    const late = [...due].map(([id, at]) => crew.seen.get(id) - at);
    console.log(`| ${kind} | ${sleepers} | ${overMs / 1_000} | ${quantile(late, 0.5)} | ${quantile(late, 0.99)} | ${Math.max(...late)} |`);
    crew.stop();
    await store.close();
  }
}

async function wake() {
  console.log("\n| store | from enqueue() to the end of the run in another process, ms: half | 99 % |\n| --- | --- | --- |");
  for (const kind of kinds) {
    const place = newPlace(kind);
    const store = openStore(place);
    const agent = benchAgent(store);
    await agent.enqueue("warm");
    const crew = await start("worker-process.mjs", 1, [place, "8"]);
    await until(() => crew.seen.size === 1);
    const times = [];
    for (let n = 0; n < 100; n += 1) {
      await pause(20 + Math.random() * 60);
      const from = Date.now();
      const { runId } = await agent.enqueue("go");
      await until(() => crew.seen.has(runId));
      times.push(crew.seen.get(runId) - from);
    }
    console.log(`| ${kind} | ${quantile(times, 0.5)} | ${quantile(times, 0.99)} |`);
    crew.stop();
    await store.close();
  }
}

async function memory() {
  const count = 1_000;
  const store = openStore(newPlace("sqlite"));
  const agent = benchAgent(store, true);
  await enqueueAll(agent, count);
  globalThis.gc?.();
  const before = process.memoryUsage();
  const crew = worker({ agents: [agent], store, concurrency: count, stopOn: [], logger: quiet, drainMs: 0 });
  await until(() => crew.status().runs.length === count, 60_000);
  await pause(3_000);
  globalThis.gc?.();
  const after = process.memoryUsage();
  const kb = (name) => ((after[name] - before[name]) / count / 1024).toFixed(0);
  console.log(`\n${count} runs at once in one worker: ${kb("heapUsed")} KB of heap and ${kb("rss")} KB of memory for each run.`);
  await crew.drain();
  await store.close();
}

const parts = { drive, claim, sleep, wake, memory };
for (const name of only) await parts[name]();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
