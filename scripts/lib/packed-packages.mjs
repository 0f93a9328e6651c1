// The published packages as tarballs, and projects outside of the repository that install them.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execute, runStep } from "./processes.mjs";
import { pnpmCommand, root, workspaceFolders } from "./project.mjs";

/** Tarballs of this process: several scripts pack at the same time. */
const folder = join(root, ".cache", "tarballs", String(process.pid));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/**
 * Packs every package of `packages/` as it would be published.
 *
 * @returns {Promise<Map<string, string>>} the path of each tarball by the name of its package
 * @throws {Error} when a package was not built, since its tarball would be empty
 */
export async function packPackages() {
  const folders = workspaceFolders().filter((path) => path.startsWith("packages/"));
  const unbuilt = folders.filter((path) => !existsSync(join(root, path, "dist")));
  if (unbuilt.length > 0) throw new Error(`Not built: ${unbuilt.join(", ")}. Run "pnpm build" first.`);
  mkdirSync(folder, { recursive: true });
  const [npx = "", ...pnpm] = pnpmCommand();
  const filters = folders.map((path) => `--filter=./${path}`);
  await runStep("pack", npx, [...pnpm, ...filters, "-r", "pack", "--pack-destination", folder]);
  const tarballs = new Map();
  for (const path of folders) {
    const { name, version } = readJson(join(root, path, "package.json"));
    const tarball = join(folder, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
    if (!existsSync(tarball)) throw new Error(`"pnpm pack" left no tarball of ${name} in ${folder}.`);
    tarballs.set(name, tarball);
  }
  return tarballs;
}

/**
 * Builds every package, from the cache if it is unchanged, and loads the server for scripted models.
 *
 * @returns {Promise<typeof import("../../packages/testing/src/model-server/index.ts")>}
 */
export async function buildPackages() {
  const [npx = "", ...pnpm] = pnpmCommand();
  const turbo = [...pnpm, "exec", "turbo", "run", "build", "--filter=./packages/*", "--output-logs=errors-only"];
  await runStep("build", npx, turbo);
  return import(pathToFileURL(join(root, "packages/testing/dist/model-server/index.js")).href);
}

/**
 * Checks each tarball with publint and attw.
 *
 * @returns {Promise<string[]>} what is wrong, in their words
 */
export async function judgePackages() {
  const problems = [];
  for (const tarball of readdirSync(folder)) {
    const path = join(folder, tarball);
    for (const [tool, args] of /** @type {const} */ ([
      ["publint", ["run", path, "--strict"]],
      ["attw", [path, "--profile", "esm-only", "--format", "ascii"]],
    ])) {
      const { status, output } = await execute(tool, args);
      if (status !== 0) problems.push(`${tool} ${tarball} failed\n${output}`);
    }
  }
  return problems;
}

/**
 * Installs a project with npm. Its dependencies on packages of this repository, and theirs, come from the tarballs.
 *
 * @param {string} project
 * @param {ReadonlyMap<string, string>} tarballs
 */
export async function installPacked(project, tarballs) {
  const file = join(project, "package.json");
  const manifest = readJson(file);
  const local = Object.fromEntries([...tarballs].map(([name, path]) => [name, `file:${path}`]));
  for (const list of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}])
    for (const name of Object.keys(list)) if (local[name] !== undefined) list[name] = local[name];
  // npm holds the packages that the packages need themselves against their ranges, and finds none at the registry.
  manifest.overrides = local;
  writeFileSync(file, JSON.stringify(manifest, undefined, 2));
  await runStep(
    "npm install",
    "npm",
    ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"],
    project,
  );
}

/** @param {string} file */
export function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
