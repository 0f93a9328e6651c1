// Measures the cost of the framework: builds it, verifies its answers on both protocols, and compares it with a
// hand-written loop and with the bare SDK. Arguments go to bench/bench.mjs, such as `--only turns --runs 5`.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pnpmCommand, root } from "./lib/project.mjs";

const bench = join(root, "bench");
const compared = ["baseline", "openai-sdk"];
const mainCases = "cold,turns,stream,parallel,concurrency,history,tools";

const [pnpm = "", ...args] = pnpmCommand();
step(
  pnpm,
  [...args, "exec", "turbo", "run", "build", "--filter=@bailiwick/agent", "--filter=@bailiwick/providers-openai"],
  root,
);
if (compared.some((name) => !existsSync(join(bench, "contenders", name, "node_modules")))) {
  step(process.execPath, ["setup.mjs", ...compared], bench, { NODE_PKG: "" });
}
const env = { PROJECT: join(bench, "contenders", "project", "adapter.mjs") };
step(process.execPath, ["smoke.mjs", "project"], bench, env);
step(
  process.execPath,
  ["bench.mjs", "--only", mainCases, "--contenders", [...compared, "project"].join(","), ...process.argv.slice(2)],
  bench,
  env,
);

/**
 * @param {string} file
 * @param {readonly string[]} arguments_
 * @param {string} cwd
 * @param {Readonly<Record<string, string>>} [variables]
 */
function step(file, arguments_, cwd, variables = {}) {
  const { status } = spawnSync(file, arguments_, {
    cwd,
    stdio: "inherit",
    env: { ...process.env, ...variables },
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
}
