// Creates a project from each template with the packages as they would be published, and checks and drives it:
// `pnpm test:templates [--only NAME] [--two]`. `--two` takes two templates, which change with the commit.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { enterProject, root } from "./lib/project.mjs";

await enterProject();
const { buildPackages, installPacked, packPackages } = await import("./lib/packed-packages.mjs");
const { runStep } = await import("./lib/processes.mjs");
const { values } = parseArgs({ options: { only: { type: "string" }, two: { type: "boolean" } } });
const all = readdirSync(join(root, "packages/create-bailiwick/templates")).toSorted();
const names = chosen();

const { modelServer } = await buildPackages();
const tarballs = await packPackages();
const folder = mkdtempSync(join(tmpdir(), "bailiwick-templates-"));
try {
  const tool = join(folder, "tool");
  mkdirSync(tool);
  writeFileSync(
    join(tool, "package.json"),
    JSON.stringify({ private: true, dependencies: { bailiwick: "", "create-bailiwick": "" } }),
  );
  await installPacked(tool, tarballs);
  if (values.only === undefined && values.two !== true) {
    const { checkOldNodes } = await import("./templates/old-node.mjs");
    const installed = join(tool, "node_modules");
    await checkOldNodes(folder, [
      join(installed, "create-bailiwick/bin/create-bailiwick.cjs"),
      join(installed, "bailiwick/bin/bailiwick.cjs"),
    ]);
  }
  for (const name of names) await check(name, join(tool, "node_modules", ".bin", "create-bailiwick"));
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * @param {string} name of the template
 * @param {string} create the command
 */
async function check(name, create) {
  const since = Date.now();
  const path = join(folder, name);
  /** @type {{ script: import("../packages/testing/src/index.ts").Script, drive: (project: import("./templates/refund-script.mjs").TemplateProject) => Promise<void> }} */
  const { script, drive } = await import(`./templates/${name}.mjs`);
  const model = await modelServer(script);
  const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: model.baseURL("openai"), NODE_NO_WARNINGS: "1" };
  try {
    await runStep("create", create, [path, "--template", name, "--no-install"], folder);
    await installPacked(path, tarballs);
    await runStep("npm run typecheck", "npm", ["run", "typecheck"], path, env);
    await runStep("npm test", "npm", ["test"], path, env);
    await drive({ path, env });
    console.log(`ok      template ${name} (${((Date.now() - since) / 1_000).toFixed(1)} s)`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`FAILED  template ${basename(path)}\n${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    await model.close();
  }
}

/** The templates that this call checks. */
function chosen() {
  const { only, two = false } = values;
  if (only !== undefined) {
    if (!all.includes(only)) throw new Error(`There is no template "${only}". There are ${all.join(", ")}.`);
    return [only];
  }
  if (!two) return all;
  // Next takes minutes: it is left to the nightly run of all templates.
  const quick = all.filter((name) => name !== "next");
  const { stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  const first = Number.parseInt((stdout ?? "").slice(0, 8), 16) || Math.floor(Date.now() / 86_400_000);
  return [0, 1].map((offset) => /** @type {string} */ (quick[(first + offset) % quick.length]));
}
