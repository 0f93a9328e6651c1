// Kills workers and the Restate server at random while they drive runs, and judges the result: `pnpm test:restate
// [--smoke]`. The server (216 MB) is installed on the first call.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { postgresStore } from "../packages/store-postgres/src/index.ts";
import { restateRuns } from "../packages/restate/src/index.ts";
import { chaosAgent } from "../packages/restate/src/chaos/chaos-agent.fixture.ts";

const serverVersion = "1.7.12";
const smoke = process.argv.includes("--smoke");
const plan = smoke
  ? {
      runs: 10,
      workerKills: 2,
      serverKills: 1,
      firstKillMs: 200,
      killEveryMs: 300,
      submitEveryMs: 250,
      withinMs: 600_000,
    }
  : {
      runs: 200,
      workerKills: 25,
      serverKills: 6,
      firstKillMs: 1_500,
      killEveryMs: 500,
      submitEveryMs: 60,
      withinMs: 600_000,
    };
/** A dead worker's run is driven elsewhere within this time. The short form runs beside other checks, and judges no time. */
const takeOverMs = smoke ? Number.POSITIVE_INFINITY : 10_000;

const root = fileURLToPath(new URL("..", import.meta.url));
const url = process.env["BAILIWICK_POSTGRES_URL"] ?? "";
if (url === "") {
  console.log("No PostgreSQL, so nothing was tried: run `pnpm test:restate`.");
  process.exit(0);
}

/** @returns {string | undefined} the server's program, installed if it is missing */
function restateServer() {
  const folder = join(root, "node_modules/.cache/restate");
  const program = join(
    folder,
    `node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
  );
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), `{ "private": true }\n`);
    const install = [
      "install",
      "--no-save",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      `@restatedev/restate-server@${serverVersion}`,
    ];
    spawnSync("npm", install, { cwd: folder, stdio: ["ignore", "ignore", "inherit"], timeout: 600_000 });
  }
  return existsSync(program) ? program : undefined;
}

const program = restateServer() ?? "";
if (program === "") {
  console.log("The Restate server could not be installed on this machine, so nothing was tried.");
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), "restate-"));
const effects = join(folder, "effects.txt");
writeFileSync(effects, "");
const schema = `chaos_${process.pid}`;
/** Below the ports that Linux gives to outgoing connections. */
const firstPort = 21_000 + Math.floor(Math.random() * 11_000);
const ports = {
  ingress: firstPort,
  admin: firstPort + 1,
  node: firstPort + 2,
  proxy: firstPort + 3,
  worker: firstPort + 10,
};
const ingressUrl = `http://127.0.0.1:${ports.ingress}`;
const adminUrl = `http://127.0.0.1:${ports.admin}`;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** @type {import("node:child_process").ChildProcess | undefined} */
let server;
function startServer() {
  server = spawn(program, ["--no-logo"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "ignore"],
    env: {
      PATH: process.env["PATH"],
      RESTATE_BASE_DIR: join(folder, "data"),
      RESTATE_DISABLE_TELEMETRY: "true",
      RESTATE_LISTEN_MODE: "tcp",
      RESTATE_BIND_IP: "127.0.0.1",
      RESTATE_ADVERTISED_HOST: "127.0.0.1",
      RESTATE_BIND_PORT: String(ports.node),
      RESTATE_INGRESS__BIND_PORT: String(ports.ingress),
      RESTATE_ADMIN__BIND_PORT: String(ports.admin),
      RESTATE_DEFAULT_NUM_PARTITIONS: "4",
      RESTATE_LOG_FILTER: "error",
    },
  });
}

const worker = fileURLToPath(new URL("../packages/restate/src/chaos/chaos-worker.fixture.ts", import.meta.url));
/** @type {Map<number, import("node:child_process").ChildProcess>} */
const workers = new Map();
let nextPort = ports.worker;
function startWorker() {
  const port = (nextPort += 1);
  const options = [
    "--conditions=@bailiwick/source",
    "--no-warnings",
    worker,
    url,
    schema,
    effects,
    ingressUrl,
    String(port),
  ];
  const child = spawn(process.execPath, options, { stdio: ["ignore", "ignore", "inherit"] });
  workers.set(port, child);
  child.once("exit", () => workers.delete(port));
}

// One deployment is one address: several processes share it behind a proxy.
const proxy = createServer((incoming) => {
  const live = [...workers.keys()];
  /** @param {number[]} left */
  const attempt = (left) => {
    const [port] = left.splice(Math.floor(Math.random() * left.length), 1);
    if (port === undefined) return void incoming.destroy();
    const outgoing = connect(port, "127.0.0.1");
    let connected = false;
    outgoing.once("connect", () => {
      connected = true;
      incoming.pipe(outgoing).pipe(incoming);
    });
    outgoing.once("error", () => (connected ? incoming.destroy() : attempt(left)));
    outgoing.once("close", () => connected && incoming.destroy());
    incoming.once("close", () => outgoing.destroy());
  };
  incoming.on("error", () => undefined);
  attempt(live);
});

/**
 * Repeats until it works, within a time.
 *
 * @template Result
 * @param {string} what
 * @param {() => Promise<Result>} work
 * @param {number} withinMs
 * @returns {Promise<Result>}
 */
async function insist(what, work, withinMs = 240_000) {
  const until = performance.now() + withinMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > until) throw new Error(`${what}: ${String(error)}`, { cause: error });
      await wait(200);
    }
  }
}

async function register() {
  const body = JSON.stringify({ uri: `http://127.0.0.1:${ports.proxy}`, force: true });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${adminUrl}/deployments`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`the deployment was refused: ${response.status} ${await response.text()}`);
}

/**
 * The longest time from a worker's death to the next step of one of its runs, in milliseconds.
 *
 * @param {readonly string[]} rows lines of steps: run, process, time, results
 */
function slowestTakeOver(rows) {
  /** @type {Map<string, { pid: number, at: number, isLast: boolean }[]>} */
  const steps = new Map();
  for (const row of rows) {
    const [line = "", pid, at, results] = row.split(" ");
    const last = Number(line.split("-").at(-1)) % 3 === 0 ? 2 : 1;
    const step = { pid: Number(pid), at: Number(at), isLast: Number(results) === last };
    steps.set(line, [...(steps.get(line) ?? []), step]);
  }
  let slowest = 0;
  for (const { pid, at } of kills) {
    for (const all of steps.values()) {
      const before = all.findLast((step) => step.at <= at);
      const after = all.find((step) => step.at > at);
      if (before !== undefined && before.pid === pid && !before.isLast && after !== undefined)
        slowest = Math.max(slowest, after.at - at);
    }
  }
  return slowest;
}

const store = postgresStore({ url, schema });
const agent = chaosAgent(store, effects);
const runs = restateRuns({ agents: [agent], store, ingressUrl, logger: quiet });
const counts = { workerKills: 0, serverKills: 0, questions: 0 };
/** Kills of workers: the process, and when it was. */
const kills = /** @type {{ pid: number | undefined, at: number }[]} */ ([]);
let exitCode = 1;
try {
  await store.listRuns({ limit: 1 });
  startServer();
  for (let count = 0; count < 3; count += 1) startWorker();
  await new Promise((resolve) => proxy.listen(ports.proxy, "127.0.0.1", () => resolve(undefined)));
  await insist("registration", register);
  const began = performance.now();
  const allKilled = () => counts.workerKills >= plan.workerKills && counts.serverKills >= plan.serverKills;
  /** @type {string[]} */
  const ids = [];
  const submit = (async () => {
    for (let n = 1; n <= plan.runs; n += 1) {
      const line = `line-${n}`;
      // The last run keeps the others company until everything was killed, however fast they end.
      if (n === plan.runs) while (!allKilled()) await wait(50);
      const { runId } = await insist("enqueue", () => runs.enqueue(agent, line, { idempotencyKey: line }));
      ids.push(runId);
      await wait(plan.submitEveryMs);
    }
  })();
  let left = plan.runs;
  let nextKill = performance.now() + plan.firstKillMs;
  let lastWake = performance.now();
  while (left > 0) {
    if (performance.now() - began > plan.withinMs)
      throw new Error(`${left} runs did not end within ${plan.withinMs} ms`);
    await wait(150);
    const stored = await Promise.all(ids.map((id) => store.getRun(id)));
    left = plan.runs - stored.filter((run) => run?.state === "completed").length;
    for (const run of stored) {
      if (run === undefined) continue;
      if (run.state === "failed" || run.state === "stuck") throw new Error(`run ${run.id} is ${run.state}`);
      if (run.state !== "suspended") continue;
      // A person checks if the effect happened.
      const lines = readFileSync(effects, "utf8").split("\n");
      const decisions = (await agent.interruptions(run.id)).map((one) =>
        lines.includes(String(run.input)) ? one.itHappened("written") : one.itDidNotHappen(),
      );
      counts.questions += decisions.length;
      await insist("decide", () => runs.decide(agent, run.id, decisions));
    }
    if (performance.now() < nextKill) continue;
    nextKill = performance.now() + plan.killEveryMs * (1 + Math.random());
    const killServer = counts.serverKills < plan.serverKills && Math.random() < 0.25;
    if (killServer || (counts.workerKills >= plan.workerKills && counts.serverKills < plan.serverKills)) {
      counts.serverKills += 1;
      server?.kill("SIGKILL");
      await wait(300);
      startServer();
    } else if (counts.workerKills < plan.workerKills) {
      counts.workerKills += 1;
      const victim = [...workers.values()][Math.floor(Math.random() * workers.size)];
      victim?.kill("SIGKILL");
      kills.push({ pid: victim?.pid, at: Date.now() });
      startWorker();
    } else continue;
    const at = performance.now();
    if (at - lastWake > 10_000) {
      lastWake = at;
      await insist("wakeDue", () => runs.wakeDue());
    }
  }
  await submit;
  const lines = readFileSync(effects, "utf8").trim().split("\n");
  const slowestMs = slowestTakeOver(readFileSync(`${effects}.steps`, "utf8").trim().split("\n"));
  const repeated = lines.length - new Set(lines).size;
  const missing = Array.from({ length: plan.runs }, (_, n) => `line-${n + 1}`).filter((line) => !lines.includes(line));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `${plan.runs} runs ended in ${seconds} s under ${counts.workerKills} kills of workers and ${counts.serverKills} of the server: ` +
      `${missing.length} effects lost, ${repeated} repeated silently, ${counts.questions} questions about unknown outcomes, ` +
      `slowest take-over ${(slowestMs / 1000).toFixed(1)} s.`,
  );
  if (missing.length === 0 && repeated === 0 && slowestMs < takeOverMs) exitCode = 0;
  else
    console.error(
      `The laws did not hold: no effect lost, none repeated silently${smoke ? "" : ", each run taken over within 10 s"}.`,
    );
} catch (error) {
  console.error(error);
} finally {
  for (const child of workers.values()) child.kill("SIGKILL");
  server?.kill("SIGKILL");
  proxy.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(exitCode);
