// Runs each client in clients/ against this project, two at a time, and holds its results against its list of expected
// failures.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { judgeClient } from "./lib/judge-client.mjs";
import { execute } from "./lib/processes.mjs";
import { enterProject, pnpmCommand, root } from "./lib/project.mjs";

await enterProject();
const wanted = process.argv.slice(2);
/** The longest ones first, so that no core is idle at the end. */
const longest = ["mcp-conformance", "example-next", "workerd", "use-chat", "copilotkit", "assistant-ui"];
const place = (/** @type {string} */ name) => (longest.includes(name) ? longest.indexOf(name) : longest.length);
const names = readdirSync(join(root, "clients"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(root, "clients", entry.name, "package.json")))
  .map(({ name }) => name)
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .toSorted((one, other) => place(one) - place(other));
if (names.length === 0) throw new Error(`There is no client called ${wanted.join(", ")} in clients/.`);

const waiting = [...names];
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const since = Date.now();
    const { problems, summary } = await runClient(join(root, "clients", name));
    const seconds = ((Date.now() - since) / 1_000).toFixed(1);
    console.log(`${problems.length === 0 ? "ok     " : "FAILED "} client ${name}: ${summary} (${seconds} s)`);
    for (const problem of problems) console.log(`  ${problem.replaceAll("\n", "\n    ")}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}

/** @param {string} folder */
async function runClient(folder) {
  const results = join(folder, "results.json");
  rmSync(results, { force: true });
  // Its own lockfile: what a client needs is not a dependency of the project.
  const [pnpm = "", ...args] = pnpmCommand();
  const install = ["install", "--ignore-workspace", "--frozen-lockfile", "--prefer-offline"];
  const flags = [...args, ...install, "--config.strict-dep-builds=false"];
  const installed = await execute(pnpm, flags, folder);
  if (installed.status !== 0) return { problems: [`It cannot be installed:\n${installed.output}`], summary: "not run" };
  const ran = await execute(process.execPath, ["run.mjs", results], folder, {}, 25);
  if (ran.status !== 0 || !existsSync(results))
    return { problems: [`run.mjs wrote no results:\n${ran.output}`], summary: "not run" };
  const read = (/** @type {string} */ path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {});
  const claimed = [read(join(folder, "client.json"))].flat().flatMap(({ works = {} }) => Object.values(works).flat());
  return judgeClient(read(results), read(join(folder, "expected-failures.json")), claimed);
}
