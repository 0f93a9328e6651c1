// Cost of the journal on SQLite, fully synced: commits and bytes per turn, load time, and how long the event loop is
// held with many runs at once. Run with: pnpm exec node --conditions=@bailiwick/source --import ./bench/journal/time-commits.mjs bench/journal/sqlite.mjs
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { createAgentRuntime, readJournal, restoreState } from "../../packages/core/src/index.ts";
import { defaultHasher, systemClock } from "../../packages/core/src/extension.ts";
import { createJournalWriter } from "../../packages/core/src/journal/journal-writer.ts";
import { sqliteStore } from "../../packages/store-sqlite/src/index.ts";
import { actingTools, answersAfter } from "./acting.mjs";
import { commitCount, commitTimes } from "./time-commits.mjs";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const folder = mkdtempSync(join(tmpdir(), "bailiwick-bench-"));
let files = 0;
const newFile = () => join(folder, `${(files += 1)}.db`);

async function commitsOf(calls, turns, writers) {
  const store = sqliteStore({ path: newFile() });
  const agent = createAgentRuntime({ name: "bench", model: answersAfter(turns, calls), tools: actingTools(writers), store, logger: quiet, maxTurns: turns + 2 });
  const before = commitCount();
  await agent.run("go");
  await store.close();
  return commitCount() - before;
}

console.log("commits per turn (budget: reads only 2, one writer 3, n writers n + 2)");
for (const [what, calls, writers] of [["reads only, 1 call", 1, 0], ["reads only, 8 calls", 8, 0], ["1 writer", 1, 1], ["4 writers", 4, 4]]) {
  const few = await commitsOf(calls, 5, writers);
  const many = await commitsOf(calls, 15, writers);
  console.log(`  ${what.padEnd(22)} ${(many - few) / 10}`);
}

const note = (n) => ({ type: "hook.failed", hook: "x".repeat(500), error: { name: "E", code: "E", message: String(n) } });
async function journalOf(store, runId) {
  await store.create({ id: runId, agentId: "a", definitionHash: "d", sessionId: "s", input: "go" });
  const lease = await store.acquire(runId, "me", 600_000);
  return createJournalWriter({ store, lease, clock: systemClock });
}

{
  const path = newFile();
  const store = sqliteStore({ path });
  const agent = createAgentRuntime({ name: "bench", model: answersAfter(1_000, 1), tools: actingTools(0), store, logger: quiet, maxTurns: 1_002, loopDetection: false });
  const { runId } = await agent.run("go");
  const events = await store.load(runId);
  const bytesOf = (from, to) => events.filter((event) => event.turn >= from && event.turn < to).reduce((sum, event) => sum + JSON.stringify(event).length, 0) / (to - from);
  console.log(`bytes per turn: ${Math.round(bytesOf(2, 102))} in turns 2 to 101, ${Math.round(bytesOf(900, 1_000))} in turns 900 to 999`);
  await store.close();
  console.log(`file after 1,000 turns: ${Math.round(statSync(path).size / 1_024)} KiB`);
}

{
  const store = sqliteStore({ path: newFile() });
  const journal = await journalOf(store, "long");
  for (let n = 0; n < 10_000; n += 1) journal.record(note(n));
  await journal.commit();
  const hasher = defaultHasher();
  for (let round = 0; round < 3; round += 1) {
    const startedAt = performance.now();
    restoreState("long", await readJournal(store, "long", { hasher }));
    console.log(`load and fold of 10,000 records: ${Math.round(performance.now() - startedAt)} ms (budget 200)`);
  }
  await store.close();
}

/**
 * How long the event loop was held while something ran: by the clock, where what else the machine does counts too, and in
 * processor time of this thread between two ticks of a timer, which is what this code used.
 */
async function held(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const used = [];
  let last = process.threadCpuUsage();
  const ticks = setInterval(() => {
    const now = process.threadCpuUsage();
    used.push((now.user + now.system - last.user - last.system) / 1_000);
    last = now;
  }, 1);
  const before = commitCount();
  const startedAt = performance.now();
  delay.enable();
  await work();
  delay.disable();
  clearInterval(ticks);
  const at = (sorted, part) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1);
  const times = commitTimes(before);
  const [p50, p99, longest] = [delay.percentile(50), delay.percentile(99), delay.max].map((ns) => (ns / 1e6).toFixed(1));
  used.sort((a, b) => a - b);
  return {
    ms: performance.now() - startedAt,
    transactions: times.length,
    loop: `event loop held p50 ${p50}, p99 ${p99}, longest ${longest} ms; processor time of a turn p50 ${at(used, 0.5)}, p99 ${at(used, 0.99)}, longest ${at(used, 1)} ms`,
    commits: `one COMMIT with its sync p50 ${at(times, 0.5)}, p99 ${at(times, 0.99)}, longest ${at(times, 1)} ms`,
  };
}

for (const runs of [100, 500, 500, 500]) {
  const store = sqliteStore({ path: newFile() });
  const journals = await Promise.all(Array.from({ length: runs }, (_, n) => journalOf(store, `r${n}`)));
  const { ms, transactions, loop, commits } = await held(() =>
    Promise.all(
      journals.map(async (journal) => {
        for (let turn = 0; turn < 10; turn += 1) {
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
          journal.record(note(turn));
          await journal.commit();
          journal.record(note(turn));
          await journal.commit();
        }
      }),
    ),
  );
  console.log(`${runs} journals, 20 commits each: ${Math.round((runs * 20_000) / ms)} appends/s in ${transactions} transactions\n  ${loop}\n  ${commits}`);
  await store.close();
}

const lookUp = actingTools(0);
async function agentRuns(runs, how) {
  const store = sqliteStore({ path: newFile() });
  const agents = Array.from({ length: runs }, () =>
    createAgentRuntime({ name: "bench", model: slowly(answersAfter(5, 1)), tools: lookUp, store, logger: quiet }),
  );
  const { ms, transactions, loop, commits } = await held(() => how(agents));
  await store.close();
  return `${Math.round((runs * 6_000) / ms)} turns/s in ${transactions} transactions\n  ${loop}\n  ${commits}`;
}

/** A delay like that of a model, different for each call. */
const slowly = (model) => ({
  ...model,
  generate: async (...given) => (await new Promise((resolve) => setTimeout(resolve, 500 + Math.random() * 1_500)), model.generate(...given)),
});

const within = (ms) => (agents) =>
  Promise.all(agents.map((agent) => new Promise((resolve) => setTimeout(resolve, Math.random() * ms)).then(() => agent.run("go"))));
await agentRuns(100, within(0));
for (let round = 0; round < 2; round += 1) {
  console.log(`500 runs of 6 turns, a model that answers in 0.5 to 2 s, started within 3 s: ${await agentRuns(500, within(3_000))}`);
  console.log(`the same, started in one turn of the event loop: ${await agentRuns(500, (agents) => Promise.all(agents.map((agent) => agent.run("go"))))}`);
}
rmSync(folder, { recursive: true, force: true });
