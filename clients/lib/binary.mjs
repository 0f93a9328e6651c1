import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Finds a runtime's program in the package for this machine, which its npm package names as an optional dependency.
 *
 * @param {URL} folder the client's folder
 * @param {string} name the npm package
 * @param {string} platform the package with the program
 * @param {string} file the program in it
 */
export function binary(folder, name, platform, file) {
  const installed = fileURLToPath(new URL(`node_modules/${name}/package.json`, folder));
  if (!existsSync(installed))
    throw new Error(`${name} is not installed: run "pnpm install --ignore-workspace" in ${fileURLToPath(folder)}.`);
  const manifest = createRequire(realpathSync(installed)).resolve(`${platform}/package.json`);
  return join(dirname(manifest), file);
}
