// Builds the site: the API reference from the packages' doc comments, then the pages, then llms.txt.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeLlmsTexts } from "./llms.mjs";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));
rmSync("reference", { recursive: true, force: true });
// TypeDoc looks for its plugins beside itself, where a strict package manager puts nothing of ours.
const plugins = ["typedoc-plugin-markdown", "typedoc-vitepress-theme"];
run(
  "typedoc",
  plugins.flatMap((name) => ["--plugin", fileURLToPath(import.meta.resolve(name))]),
);
if (!existsSync("reference")) throw new Error("typedoc wrote no reference");
nameSources("reference");
refuseTwins("reference");
// With the results of the last test run where there are some; else the page lists which tests name a claim.
const results = "../.cache/test-results.json";
run(process.execPath, ["../scripts/conformance.mjs", ...(existsSync(results) ? [results] : [])]);
run("vitepress", ["build"]);
writeLlmsTexts(".", ".vitepress/dist");

/**
 * @param {string} file
 * @param {readonly string[]} args
 */
function run(file, args) {
  const { status } = spawnSync(file, args, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * A source is named by its path; the site has no page to link to.
 *
 * @param {string} folder
 */
function nameSources(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".md")) continue;
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(/\[([^\]\n]+)\]\((?:packages\/)[^)\s]+#[lL]\d+\)/g, "$1"));
  }
}

/**
 * An export that two packages offer is documented where it is made.
 *
 * @param {string} folder
 */
function refuseTwins(folder) {
  /** @type {Map<string, string>} */
  const pages = new Map();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const defined = name.endsWith(".md")
      ? /^Defined in: (\S+)/m.exec(readFileSync(join(folder, name), "utf8"))?.[1]
      : "";
    if (!defined) continue;
    const twin = pages.get(defined);
    if (twin !== undefined) throw new Error(`${defined} is documented twice: ${twin} and ${name}`);
    pages.set(defined, name);
  }
}
