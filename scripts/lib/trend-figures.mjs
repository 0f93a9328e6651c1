// Figures of a checkout: bundles, work of a turn and of a call, cost of the types, time to load.
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { bundleForBrowser } from "./browser-bundle.mjs";

/** Modules of core that an agent needs, without the security package. */
const bareAgent = `export { agentTool, createAgentRuntime, exposeRuntime, tool } from "@bailiwick/core";`;

/** Options of V8 that make counts of functions and bytes the same each time. */
const counting = [
  // Optimized code allocates less, depending on when it was compiled.
  "--no-opt",
  "--no-maglev",
  "--single-threaded",
  // A young generation so large that nothing is collected between two readings.
  "--min-semi-space-size=256",
  "--max-semi-space-size=256",
];
const fromSource = ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning"];

/** Starts of a process, of which the median is printed. */
const starts = 7;

/**
 * @param {string} checkout - Folder of an installed repository.
 * @returns {Promise<import("./trend-lines.mjs").Figures>} what could be measured there
 */
export async function measured(checkout) {
  return { ...(await bundles(checkout)), ...work(checkout), ...types(checkout), ...start(checkout) };
}

/** @param {string} checkout */
async function bundles(checkout) {
  /** @type {Record<string, number>} */
  const found = {};
  for (const [name, program] of [
    ["all of core", `export * from "@bailiwick/core";`],
    ["all of agent", `export * from "@bailiwick/agent";`],
    ["an agent of core", bareAgent],
    ["an agent", `export { Agent, tool } from "@bailiwick/agent";`],
  ]) {
    const bundle = await bundleForBrowser(program ?? "", checkout).catch(() => undefined);
    if (bundle !== undefined) found[`gzipped bytes of ${name} at the start`] = bundle.start;
  }
  return found;
}

/** @param {string} checkout */
function work(checkout) {
  const args = [...counting, ...fromSource, join(checkout, "bench/pipeline/work.mjs")];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) return {};
  /** @type {Record<string, Record<string, number>>} */
  const counts = JSON.parse(stdout);
  return Object.fromEntries(
    Object.entries(counts).flatMap(([unit, measures]) =>
      Object.entries(measures).map(([measure, count]) => [`${measure} of one of the ${unit}`, count]),
    ),
  );
}

/** @param {string} checkout */
function types(checkout) {
  const compiler = join(checkout, "node_modules/.bin/tsc");
  const args = ["-p", "apps/desk", "--noEmit", "--extendedDiagnostics", "--singleThreaded", "--pretty", "false"];
  const { stdout } = spawnSync(compiler, args, { cwd: checkout, encoding: "utf8" });
  const count = /^Instantiations:\s*(\d+)/mu.exec(stdout ?? "")?.[1];
  return count === undefined ? {} : { "instantiations of types in the sample app": Number(count) };
}

/** @param {string} checkout */
function start(checkout) {
  const args = [...fromSource, "--input-type=module", "-e", `await import("@bailiwick/agent");`];
  const times = Array.from({ length: starts }, () => {
    const since = performance.now();
    execFileSync(process.execPath, args, { cwd: join(checkout, "apps/desk") });
    return performance.now() - since;
  });
  return {
    "milliseconds to load agent from its sources": Math.round(times.toSorted((a, b) => a - b)[starts >> 1] ?? 0),
  };
}
