import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Runs a client's checks.mjs with the packages of the workspace loaded from source.
 *
 * @param {string} base the URL of a file beside checks.mjs
 */
export function runChecks(base) {
  const checks = fileURLToPath(new URL("checks.mjs", base));
  const flags = ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning"];
  const { status } = spawnSync(process.execPath, [...flags, checks, ...process.argv.slice(2)], { stdio: "inherit" });
  process.exit(status ?? 1);
}
