import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runStep } from "../lib/processes.mjs";

/** Node versions without support, as npm packages of the real programs. */
const versions = ["16", "18"];

/**
 * Starts the installed commands with old versions of Node: each has to print the version that it needs and exit with 1.
 *
 * @param {string} folder a folder for the old versions
 * @param {readonly string[]} commands files that the commands start with
 */
export async function checkOldNodes(folder, commands) {
  for (const version of versions) {
    const node = await installNode(folder, version);
    for (const command of commands) {
      const { status, stdout, stderr } = spawnSync(node, [command, "--help"], { encoding: "utf8" });
      const said = stderr.includes("needs Node 22.20 or newer, and this is Node " + version);
      if (status === 1 && said && stdout === "") continue;
      throw new Error(`${command} on Node ${version} ended with ${status}:\n${stdout}${stderr}`);
    }
    console.log(`ok      the commands refuse Node ${version} and name the version that they need`);
  }
}

/** Stores a run, drives it with a worker and searches for it. */
const program = `
import { Agent } from "@bailiwick/agent";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { worker } from "@bailiwick/worker";

const store = sqliteStore({ path: "./oldest.db" });
const agent = new Agent({ name: "clerk", model: scriptedModel(["Good day."]), store, session: store.sessions });
const { runId } = await agent.enqueue("Greet.", { sessionId: "s", userId: "ana" });
const crew = worker({ agents: [agent], store });
await crew.idle();
await crew.drain();
console.log((await store.getRun(runId)).state, (await store.searchRuns({ text: "day" })).runs.length);
await store.close();
`;

/**
 * Runs a program with the SQLite store on the oldest Node that the packages say they need: later versions hide that an
 * older one lacks something.
 *
 * @param {string} folder a folder for the old version
 * @param {string} project a project with the installed packages
 */
export async function checkOldestNode(folder, project) {
  const manifest = readFileSync(join(project, "node_modules/@bailiwick/store-sqlite/package.json"), "utf8");
  const version = JSON.parse(manifest).engines.node.replace(">=", "");
  const node = await installNode(folder, `${version}.0`);
  writeFileSync(join(project, "oldest.mjs"), program);
  const printed = await runStep(`a stored run on Node ${version}.0`, node, ["oldest.mjs"], project);
  if (!printed.includes("completed 1")) throw new Error(`A stored run on Node ${version}.0 printed:\n${printed}`);
  console.log(`ok      a stored run completes on Node ${version}.0, the oldest that the packages allow`);
}

/**
 * Installs a version of Node from its npm package.
 *
 * @param {string} folder
 * @param {string} version
 * @returns {Promise<string>} the path of the program
 */
async function installNode(folder, version) {
  const path = join(folder, `node-${version}`);
  mkdirSync(path);
  writeFileSync(join(path, "package.json"), JSON.stringify({ private: true, dependencies: { node: version } }));
  await runStep(`npm install node@${version}`, "npm", ["install", "--no-audit", "--no-fund"], path);
  return join(path, "node_modules/node/bin/node");
}
