import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
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
    const path = join(folder, `node-${version}`);
    mkdirSync(path);
    writeFileSync(join(path, "package.json"), JSON.stringify({ private: true, dependencies: { node: version } }));
    await runStep(`npm install node@${version}`, "npm", ["install", "--no-audit", "--no-fund"], path);
    const node = join(path, "node_modules/node/bin/node");
    for (const command of commands) {
      const { status, stdout, stderr } = spawnSync(node, [command, "--help"], { encoding: "utf8" });
      const said = stderr.includes("needs Node 22.13 or newer, and this is Node " + version);
      if (status === 1 && said && stdout === "") continue;
      throw new Error(`${command} on Node ${version} ended with ${status}:\n${stdout}${stderr}`);
    }
    console.log(`ok      the commands refuse Node ${version} and name the version that they need`);
  }
}
