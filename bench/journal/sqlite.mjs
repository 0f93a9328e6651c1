// What the journal costs on SQLite, fully synced: commits and bytes per turn, load time, and how long the event loop is
// held with many runs at once. Run with: pnpm exec node --conditions=@bailiwick/source bench/journal/sqlite.mjs
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { createAgentRuntime, createJournalWriter, defaultHasher, readJournal, restoreState, systemClock } from "../../packages/core/src/index.ts";
import { sqliteStore } from "../../packages/store-sqlite/src/index.ts";
import { actingTools, answersAfter } from "./acting.mjs";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const folder = mkdtempSync(join(tmpdir(), "bailiwick-bench-"));
let files = 0;
const newFile = () => join(folder, `${(files += 1)}.db`);

/** Counts the transactions of every database of this process. */
let commits = 0;
/** How long each waited for the disk, with the event loop held. */
let commitMs = [];
const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function counted(sql) {
  const statement = prepare.call(this, sql);
  if (sql === "COMMIT") {
    const run = statement.run.bind(statement);
    statement.run = () => {
      commits += 1;
      const startedAt = performance.now();
      const result = run();
      commitMs.push(performance.now() - startedAt);
      return result;
    };
  }
  return statement;
};

async function commitsOf(calls, turns, writers) {
  const store = sqliteStore({ path: newFile() });
  const agent = createAgentRuntime({ name: "bench", model: answersAfter(turns, calls), tools: actingTools(writers), store, logger: quiet, maxTurns: turns + 2 });
  const before = commits;
  await agent.run("go");
  await store.close();
  return commits - before;
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

for (const runs of [100, 500]) {
  const store = sqliteStore({ path: newFile() });
  const journals = await Promise.all(Array.from({ length: runs }, (_, n) => journalOf(store, `r${n}`)));
  const before = commits;
  commitMs = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = performance.now();
  await Promise.all(
    journals.map(async (journal) => {
      for (let turn = 0; turn < 10; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
        journal.record(note(turn));
        await journal.commit();
        journal.record(note(turn));
        await journal.commit();
      }
    }),
  );
  delay.disable();
  const ms = performance.now() - startedAt;
  console.log(
    `${runs} runs, 20 commits each: ${Math.round((runs * 20_000) / ms)} appends/s in ${commits - before} transactions; event loop held p50 ${(delay.percentile(50) / 1e6).toFixed(1)}, p99 ${(delay.percentile(99) / 1e6).toFixed(1)}, longest ${(delay.max / 1e6).toFixed(1)} ms (budget 5, timer included)`,
  );
  commitMs.sort((a, b) => a - b);
  const commitAt = (part) => (commitMs[Math.floor((commitMs.length - 1) * part)] ?? 0).toFixed(1);
  console.log(`  of which one COMMIT with its sync: p50 ${commitAt(0.5)}, p99 ${commitAt(0.99)}, longest ${commitAt(1)} ms`);
  await store.close();
}
rmSync(folder, { recursive: true, force: true });
