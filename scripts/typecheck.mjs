// Type-checks every workspace package with its tests and type tests, and the configuration of the root.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root, workspaceFolders } from "./lib/project.mjs";

const configs = ["tsconfig.json"];
/** Folders whose configuration only extends the common one: they are one program, which checks each file once. @type {string[]} */
const alike = [];
for (const folder of workspaceFolders()) {
  for (const file of readdirSync(join(root, folder))) {
    if (!/^tsconfig(?:\.(?!build)\w+)?\.json$/.test(file)) continue;
    const { extends: base, include, compilerOptions } = JSON.parse(readFileSync(join(root, folder, file), "utf8"));
    if (base === "../../tsconfig.base.json" && compilerOptions === undefined)
      alike.push(...include.map((/** @type {string} */ pattern) => `../${folder}/${pattern}`));
    else configs.push(`${folder}/${file}`);
  }
}
mkdirSync(join(root, ".cache"), { recursive: true });
writeFileSync(join(root, ".cache/tsconfig.json"), JSON.stringify({ extends: "../tsconfig.base.json", include: alike }));
configs.unshift(".cache/tsconfig.json");

let failed = 0;
const queue = [...configs];
const lanes = Array.from({ length: Math.min(4, availableParallelism()) }, async () => {
  for (let config = queue.shift(); config !== undefined; config = queue.shift())
    if (!(await check(config))) failed += 1;
});
await Promise.all(lanes);
if (failed > 0) process.exit(1);
console.log(`${configs.length} programs type-check`);

/**
 * @param {string} config
 * @returns {Promise<boolean>} whether it type-checks
 */
function check(config) {
  return new Promise((resolve) => {
    const child = spawn("tsc", ["-p", config, "--noEmit", "--pretty", "false"], {
      cwd: root,
      shell: process.platform === "win32",
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", (error) => {
      console.error(`tsc could not check ${config}: ${error.message}`);
      resolve(false);
    });
    child.on("exit", (code) => resolve(code === 0));
  });
}
