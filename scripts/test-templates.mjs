// Creates a project from each template with the packages as they would be published, and checks and drives it. Then
// calls every command of `bailiwick` in such a project: `pnpm test:templates [--only NAME] [--two]`. `--two` takes two
// templates, which change with the commit, and the commands.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { enterProject, root } from "./lib/project.mjs";

await enterProject();
const { buildPackages, installPacked, packPackages } = await import("./lib/packed-packages.mjs");
const { endStarted, runStep } = await import("./lib/processes.mjs");
const { values } = parseArgs({ options: { only: { type: "string" }, two: { type: "boolean" } } });

/**
 * A project that is created and driven by the module of its name in `scripts/templates`.
 *
 * @typedef {{ name: string, template: string, store?: string, env?: Readonly<Record<string, string>> }} Project
 */

/** @type {readonly Project[]} */
const templates = readdirSync(join(root, "packages/create-bailiwick/templates"))
  .toSorted()
  .map((name) => ({ name, template: name }));
const databaseUrl = process.env["BAILIWICK_POSTGRES_URL"] ?? "";
/** @type {readonly Project[]} */
const all = [
  ...templates,
  ...(databaseUrl === ""
    ? []
    : [{ name: "worker", template: "worker", store: "postgres", env: { DATABASE_URL: databaseUrl } }]),
];
/** @type {Project} */
const commands = { name: "commands", template: "worker" };
const projects = chosen();
if (databaseUrl === "") console.log("No PostgreSQL, so the worker with PostgreSQL was not tried.");

/** Packages of the project that has the commands, and that runs on the oldest Node. */
const installedNames = [
  "bailiwick",
  "create-bailiwick",
  "@bailiwick/agent",
  "@bailiwick/store-sqlite",
  "@bailiwick/testing",
  "@bailiwick/worker",
];
const { modelServer } = await buildPackages();
const tarballs = await packPackages();
const folder = mkdtempSync(join(tmpdir(), "bailiwick-templates-"));
try {
  const tool = join(folder, "tool");
  mkdirSync(tool);
  writeFileSync(
    join(tool, "package.json"),
    JSON.stringify({ private: true, dependencies: Object.fromEntries(installedNames.map((name) => [name, ""])) }),
  );
  await installPacked(tool, tarballs);
  if (values.only === undefined && values.two !== true) {
    const { checkOldNodes, checkOldestNode } = await import("./templates/old-node.mjs");
    const installed = join(tool, "node_modules");
    await checkOldNodes(folder, [
      join(installed, "create-bailiwick/bin/create-bailiwick.cjs"),
      join(installed, "bailiwick/bin/bailiwick.cjs"),
    ]);
    await checkOldestNode(folder, tool);
  }
  for (const project of projects) await check(project, join(tool, "node_modules", ".bin", "create-bailiwick"));
} finally {
  endStarted();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * @param {Project} project
 * @param {string} create the command
 */
async function check({ name, template, store, env: own = {} }, create) {
  const since = Date.now();
  const title = store === undefined ? name : `${name} with ${store}`;
  const path = join(folder, title.replaceAll(" ", "-"));
  /** @type {{ script: import("../packages/testing/src/index.ts").Script, drive: (project: import("./templates/refund-script.mjs").TemplateProject) => Promise<void> }} */
  const { script, drive } = await import(`./templates/${name}.mjs`);
  const model = await modelServer(script);
  const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: model.baseURL("openai"), NODE_NO_WARNINGS: "1", ...own };
  try {
    const stores = store === undefined ? [] : ["--store", store];
    await runStep("create", create, [path, "--template", template, ...stores, "--no-install"], folder);
    await installPacked(path, tarballs);
    await runStep("npm run typecheck", "npm", ["run", "typecheck"], path, env);
    await runStep("npm test", "npm", ["test"], path, env);
    await drive({ path, env });
    console.log(`ok      ${title} (${((Date.now() - since) / 1_000).toFixed(1)} s)`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`FAILED  ${title}\n${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    await model.close();
  }
}

/**
 * @returns {readonly Project[]} the projects that this call checks
 */
function chosen() {
  const { only, two = false } = values;
  if (only !== undefined) {
    const fitting = [...all, commands].filter(({ name }) => name === only);
    if (fitting.length > 0) return fitting;
    throw new Error(`There is no "${only}". There are ${[...all, commands].map(({ name }) => name).join(", ")}.`);
  }
  if (!two) return [...all, commands];
  // Next takes minutes: it is left to the nightly run of all templates.
  const quick = all.filter(({ name }) => name !== "next");
  const { stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  const first = Number.parseInt((stdout ?? "").slice(0, 8), 16) || Math.floor(Date.now() / 86_400_000);
  return [...[0, 1].map((offset) => /** @type {Project} */ (quick[(first + offset) % quick.length])), commands];
}
