// Bundles the code that runs outside Node for the browser: it must not need a module of Node, and the code that a
// browser loads before the first run, and with it, must stay within its size. Later parts are printed.
import { readFileSync } from "node:fs";
import { bundleForBrowser } from "./lib/browser-bundle.mjs";
import { root } from "./lib/project.mjs";

/** Modules of core that an agent needs, without the security package. */
const bareAgent = `export { agentTool, createAgentRuntime, exposeRuntime, tool } from "@bailiwick/core";`;

/** Parts that load with the first run of an agent without a `store`, and with the first result of a tool. */
const firstRun = [
  "runner/run-operations.ts",
  "journal/memory/part.ts",
  "flow/flow-run.ts",
  "sanitize/treat-inbound.ts",
];

const core = await measured("all of @bailiwick/core", `export * from "@bailiwick/core";`);
const all = await measured("all of @bailiwick/agent", `export * from "@bailiwick/agent";`);
const bare = await measured("an agent of @bailiwick/core", bareAgent);
const agent = await measured("an agent", `export { Agent, tool } from "@bailiwick/agent";`);

const budgets = JSON.parse(readFileSync(process.argv[2] ?? `${root}/scripts/bundle-budgets.json`, "utf8"));
bound("all of @bailiwick/core", core.start, budgets.core);
bound("all of @bailiwick/agent", all.start, budgets.agent);
console.log(`an agent before its first run: ${agent.start} bytes gzipped`);
bound("  core's part of it", bare.start, budgets.bare);
bound("  security's part of it", agent.start - bare.start, budgets.security);
bound("an agent after a run with a tool", agent.with(firstRun), budgets.run);
for (const { name, bytes } of agent.later) console.log(`  later: ${bytes} for ${name}`);

/**
 * @param {string} name
 * @param {string} program
 */
async function measured(name, program) {
  const bundle = await bundleForBrowser(program).catch((error) => {
    console.error(`${name} does not bundle for the browser\n${error.message}`);
    process.exit(1);
  });
  if (bundle.needsNode) {
    console.error(`${name} loads a module of Node`);
    process.exitCode = 1;
  }
  return bundle;
}

/**
 * @param {string} what
 * @param {number} bytes
 * @param {number} budget
 */
function bound(what, bytes, budget) {
  console.log(`${what}: ${bytes} of ${budget} bytes gzipped`);
  if (bytes <= budget) return;
  console.error(`${what} weighs ${bytes} bytes gzipped, the budget is ${budget}`);
  process.exitCode = 1;
}
