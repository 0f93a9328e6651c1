/**
 * Runs agents for a long time, in every scenario, and prints the leftovers: `--rounds 500` (21 runs each). Fails if
 * listeners, handles or live objects grow with the runs, or if the heap grows by more than `--bytes 64` a run.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { soak } from "./soak.test.helper.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "500" }, bytes: { type: "string", default: "64" } },
});
let last = 0;
const report = await soak(Number(values.rounds), (runs, heapBytes) => {
  if (runs < last) last = 0;
  if (runs - last < 1_000) return;
  last = runs;
  console.log(`${runs} runs, heap ${(heapBytes / 1e6).toFixed(1)} MB before collection`);
});
const { before, after, runs, bytesPerRun } = report;
console.log(`listeners ${before.listeners} -> ${after.listeners}`);
console.log(`handles   ${JSON.stringify(before.handles)} -> ${JSON.stringify(after.handles)}`);
console.log(`objects   ${JSON.stringify(before.objects)} -> ${JSON.stringify(after.objects)}`);
console.log(
  `heap      ${before.heapBytes} -> ${after.heapBytes}, ${bytesPerRun.toFixed(1)} bytes a run in the second half`,
);
const heavy = bytesPerRun > Number(values.bytes) ? [`the heap by ${bytesPerRun.toFixed(1)} bytes a run`] : [];
const grown = [...report.leaks, ...heavy];
console.log(grown.length === 0 ? `${runs} runs left nothing behind` : `GREW: ${grown.join("; ")}`);
process.exitCode = grown.length === 0 ? 0 : 1;
