/**
 * Counts the work of a turn and of a call with a scripted model: functions of the packages that are entered, and bytes
 * that are allocated. `scripts/count-work.mjs` runs it with the options of V8 that make both counts the same each time.
 */
import { Session } from "node:inspector/promises";
import { getHeapStatistics } from "node:v8";
import "./still-clock.mjs";

/** Runs that fill caches, and runs that are counted. */
const warm = 5;
const counted = 10;

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

/** Functions of the packages that were entered since the last reading. */
async function entered() {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const functions = result.filter(({ url }) => url.includes("/packages/")).flatMap((script) => script.functions);
  return functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
}

const { log } = console;
/** @type {Record<string, { readonly functions: number, readonly bytes: number }>} */
const work = {};
for (const [shape, units] of /** @type {const} */ ([
  ["turns", 50],
  ["calls", 64],
])) {
  const run = async (/** @type {number} */ runs) => {
    process.argv = [process.argv[0] ?? "node", "scripted-run.ts", shape, String(runs), "0"];
    console.log = () => undefined;
    await import(`./scripted-run.ts?${shape}${runs}`);
    console.log = log;
  };
  await run(warm);
  await entered();
  const before = getHeapStatistics().used_heap_size;
  await run(counted);
  const bytes = getHeapStatistics().used_heap_size - before;
  work[shape] = {
    functions: Math.round((await entered()) / counted / units),
    bytes: Math.round(bytes / counted / units),
  };
}
log(JSON.stringify(work));
