// Packs every published package as it would be published, and lets publint and attw judge the tarball.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pnpmCommand, root, workspaceFolders } from "./lib/project.mjs";

const folder = join(root, ".cache", "tarballs");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const [npx = "", ...pnpm] = pnpmCommand();
const names = workspaceFolders().filter((path) => path.startsWith("packages/"));
const filters = names.map((path) => `--filter=./${path}`);
step(npx, [...pnpm, ...filters, "-r", "pack", "--pack-destination", folder], "pack");

for (const tarball of readdirSync(folder)) {
  const path = join(folder, tarball);
  step("publint", ["run", path, "--strict"], `publint ${tarball}`);
  step("attw", [path, "--profile", "esm-only", "--format", "ascii"], `attw ${tarball}`);
}
if (process.exitCode === undefined) console.log(`${names.length} packages are fit to publish`);

/**
 * @param {string} file
 * @param {readonly string[]} args
 * @param {string} what
 */
function step(file, args, what) {
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status === 0) return;
  console.error(`${what} failed\n${stdout}${stderr}`);
  process.exitCode = 1;
}
