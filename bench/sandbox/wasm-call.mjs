/**
 * Cost of a call of a tool in the `wasm` sandbox and of a step of a program, when the thread is warm: milliseconds from the
 * call to its result, the median and the fastest of many, with a pause between calls as between the steps of a run. The
 * budget of a call is 1.
 *
 * Usage: node --conditions=@bailiwick/source bench/sandbox/wasm-call.mjs
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createSandbox } from "../../packages/security/src/sandbox/index.ts";

const folder = await mkdtemp(join(tmpdir(), "bailiwick-bench-"));
const file = join(folder, "tool.mjs");
await writeFile(file, "export const run = ({ a, b }) => ({ sum: a + b });");
const entry = { module: pathToFileURL(file), export: "run" };
const terms = { entry, config: { tier: "wasm" }, trustClass: "first-party-user-defined", saidBy: "tool" };
const sandbox = createSandbox();
const { moduleHash } = await sandbox.resolve({ ...terms, name: "add", policy: "wasm" });
const context = { toolCallId: "c", toolName: "add", runId: "r", step: 1, attempt: 1, metadata: {}, log() {}, reportProgress() {} };
const { signal } = new AbortController();
const program = { source: "return tools.add({ a: 1, b: 2 });", tools: ["add"], steps: [], now: 0, seed: 1 };

await measure("call", () => sandbox.execute({ ...terms, moduleHash, input: { a: 1, b: 2 }, context, signal, timeoutMs: 0 }));
await measure("step of a program", () => sandbox.runProgram(program));
await rm(folder, { recursive: true });

async function measure(what, work) {
  const times = [];
  for (let round = 0; round < 220; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const start = performance.now();
    await work();
    if (round >= 20) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(`${what}: median ${times[100].toFixed(2)} ms, fastest ${times[0].toFixed(2)} ms`);
}
