// Runs the checks with the packages of the workspace loaded from source.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const checks = fileURLToPath(new URL("checks.mjs", import.meta.url));
const flags = ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning"];
const { status } = spawnSync(process.execPath, [...flags, checks, ...process.argv.slice(2)], { stdio: "inherit" });
process.exit(status ?? 1);
