// Runs each client in clients/ against this project, and holds its results against its list of expected failures.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { judgeClient } from "./lib/judge-client.mjs";
import { enterProject, pnpmCommand, root } from "./lib/project.mjs";

await enterProject();
const wanted = process.argv.slice(2);
const names = readdirSync(join(root, "clients"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(root, "clients", entry.name, "package.json")))
  .map(({ name }) => name)
  .filter((name) => wanted.length === 0 || wanted.includes(name));
if (names.length === 0) throw new Error(`There is no client called ${wanted.join(", ")} in clients/.`);

let isFailed = false;
for (const name of names) {
  const folder = join(root, "clients", name);
  const { problems, summary } = runClient(folder);
  console.log(`${problems.length === 0 ? "ok     " : "FAILED "} client ${name}: ${summary}`);
  for (const problem of problems) console.log(`  ${problem.replaceAll("\n", "\n    ")}`);
  isFailed ||= problems.length > 0;
}
process.exitCode = isFailed ? 1 : 0;

/** @param {string} folder */
function runClient(folder) {
  const results = join(folder, "results.json");
  rmSync(results, { force: true });
  // Its own lockfile: what a client needs is no dependency of the project.
  const [pnpm = "", ...args] = pnpmCommand();
  const installed = run(
    pnpm,
    [...args, "install", "--ignore-workspace", "--frozen-lockfile", "--config.strict-dep-builds=false"],
    folder,
  );
  if (installed.status !== 0) return { problems: [`It cannot be installed:\n${installed.output}`], summary: "not run" };
  const ran = run(process.execPath, ["run.mjs", results], folder);
  if (ran.status !== 0 || !existsSync(results))
    return { problems: [`run.mjs wrote no results:\n${ran.output}`], summary: "not run" };
  const read = (/** @type {string} */ path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {});
  const claimed = Object.values(read(join(folder, "client.json")).works ?? {}).flat();
  return judgeClient(read(results), read(join(folder, "expected-failures.json")), claimed);
}

/**
 * @param {string} file
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function run(file, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd,
    encoding: "utf8",
    shell: process.platform === "win32",
    maxBuffer: 256 * 1024 * 1024,
  });
  return { status: status ?? 1, output: `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`.trim() };
}
