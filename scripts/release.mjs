// All checks of a release: `pnpm release --dry-run [--node PATH]...`. Packs the packages once, checks the tarballs,
// installs them in a project outside of the repository, and runs the first example of the README there on each runtime.
// Writes a list of licenses and an SBOM of the packages' dependencies to .cache/release. Without --dry-run it publishes
// afterwards, but only in CI, because a release without provenance cannot be traced to its sources.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { binary } from "../clients/lib/binary.mjs";
import { enterProject, pnpmCommand, root, workspaceFolders } from "./lib/project.mjs";
import { withRepository } from "./lib/repository-field.mjs";

const { values } = parseArgs({
  options: { "dry-run": { type: "boolean" }, node: { type: "string", multiple: true } },
});
const dryRun = values["dry-run"] === true;
if (!dryRun) refuseWithoutProvenance();
await enterProject();
const { blocksOfMarkdown } = await import("./lib/code-blocks.mjs");
const { licenseProblems, licenseReport } = await import("./lib/licenses.mjs");
const { buildPackages, installPacked, judgePackages, packPackages, readJson } =
  await import("./lib/packed-packages.mjs");
const { runStep } = await import("./lib/processes.mjs");

const [npx = "", ...pnpm] = pnpmCommand();
const { modelServer } = await buildPackages();
const tarballs = await packPackages();
const problems = await judgePackages();
console.log(`${problems.length === 0 ? "ok     " : "FAILED "} ${tarballs.size} packages: publint and attw`);

const project = mkdtempSync(join(tmpdir(), "bailiwick-release-"));
try {
  const { zod } = readJson(join(root, "packages/create-bailiwick/src/versions.json"));
  // The README installs zod beside the packages.
  const dependencies = { ...Object.fromEntries([...tarballs.keys()].map((name) => [name, ""])), zod };
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ name: "release", version: "0.0.0", private: true, type: "module", dependencies }),
  );
  await installPacked(project, tarballs);
  console.log("ok      the packages install together");
  for (const [name, file, args] of await runtimes())
    await attempt(`the README's example on ${name}`, () => runReadme(file, args));
  await attempt("licenses and SBOM", describeDependencies);
} finally {
  rmSync(project, { recursive: true, force: true, maxRetries: 5 });
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else if (dryRun) console.log("This can be published.");
else publish();

/**
 * @param {string} title
 * @param {() => void | Promise<void>} work
 */
async function attempt(title, work) {
  try {
    await work();
    console.log(`ok      ${title}`);
  } catch (error) {
    console.log(`FAILED  ${title}`);
    problems.push(error instanceof Error ? error.message : String(error));
  }
}

/**
 * The project's Node or the given ones, then Bun and Deno in the versions that clients/ pins.
 *
 * @returns {Promise<(readonly [name: string, file: string, args: readonly string[]])[]>}
 */
async function runtimes() {
  const nodes = values.node ?? [process.execPath];
  const host = `${process.platform}-${process.arch}`;
  /** @type {(readonly [string, string, readonly string[]])[]} */
  const found = [];
  for (const file of nodes)
    found.push([`Node ${(await runStep(file, file, ["-p", "process.version"])).trim()}`, file, []]);
  for (const name of ["bun", "deno"]) {
    const client = join(root, "clients", name);
    await runStep(
      `install of ${name}`,
      npx,
      [...pnpm, "install", "--ignore-workspace", "--frozen-lockfile", "--config.strict-dep-builds=false"],
      client,
    );
  }
  const at = (/** @type {string} */ name) => new URL(`../clients/${name}/`, import.meta.url);
  return [
    ...found,
    ["Bun", binary(at("bun"), "bun", `@oven/bun-${host}`, "bin/bun"), ["run"]],
    [
      "Deno",
      binary(at("deno"), "deno", `@deno/${host}${process.platform === "linux" ? "-glibc" : ""}`, "deno"),
      ["run", "--allow-all", "--node-modules-dir=manual"],
    ],
  ];
}

/**
 * Runs the example against a model on the loopback interface, which answers as the README says.
 *
 * @param {string} file of the runtime
 * @param {readonly string[]} args
 */
async function runReadme(file, args) {
  const [block] = blocksOfMarkdown("README.md", readFileSync(join(root, "README.md"), "utf8"));
  if (block?.runs !== true || !Array.isArray(block.model))
    throw new Error("The first example of README.md does not run.");
  const model = await modelServer(block.model);
  try {
    writeFileSync(join(project, "example.ts"), block.code);
    const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: model.baseURL("openai"), NODE_NO_WARNINGS: "1" };
    await runStep("README.md", file, [...args, "example.ts"], project, env);
  } finally {
    await model.close();
  }
}

/**
 * Writes the SBOM and the licenses of all dependencies of the packages, and refuses licenses that are not known to be
 * compatible.
 */
async function describeDependencies() {
  const folder = join(root, ".cache", "release");
  mkdirSync(folder, { recursive: true });
  const sbom = await runStep(
    "npm sbom",
    "npm",
    ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--loglevel=error"],
    project,
  );
  const own = new Set(tarballs.keys());
  const { components } = JSON.parse(sbom);
  writeFileSync(join(folder, "sbom.cdx.json"), sbom);
  writeFileSync(join(folder, "licenses.md"), licenseReport(components, own));
  const unfit = licenseProblems(components, own);
  if (unfit.length > 0) throw new Error(`Licenses that scripts/lib/licenses.mjs does not allow:\n${unfit.join("\n")}`);
}

/** @throws {Error} anywhere but in a workflow that may sign the provenance of packages */
function refuseWithoutProvenance() {
  const { GITHUB_ACTIONS, ACTIONS_ID_TOKEN_REQUEST_URL, NPM_CONFIG_PROVENANCE } = process.env;
  if (GITHUB_ACTIONS === "true" && ACTIONS_ID_TOKEN_REQUEST_URL && NPM_CONFIG_PROVENANCE === "true") return;
  console.error(
    "A release is published by .github/workflows/release.yml alone, with NPM_CONFIG_PROVENANCE=true and the permission id-token: write. Here, run: pnpm release --dry-run",
  );
  process.exit(1);
}

/** Publishes the packages that are not published yet. */
function publish() {
  for (const folder of workspaceFolders().filter((path) => path.startsWith("packages/"))) {
    const file = join(root, folder, "package.json");
    writeFileSync(file, `${JSON.stringify(withRepository(readJson(file), folder, process.env), undefined, 2)}\n`);
  }
  const { status } = spawnSync(npx, [...pnpm, "changeset", "publish"], { cwd: root, stdio: "inherit" });
  process.exitCode = status ?? 1;
}
