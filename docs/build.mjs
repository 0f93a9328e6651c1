// Builds the site: the API reference from the packages' doc comments, then the pages, then llms.txt; then checks it.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeLlmsTexts } from "./llms.mjs";
import { checkSite, errorsInOutput } from "./site/check-site.mjs";
import { adaptReferencePage } from "./site/reference-page.mjs";
import { site } from "./site/site.mjs";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));
rmSync("reference", { recursive: true, force: true });
// TypeDoc looks for its plugins beside itself, where a strict package manager puts nothing of ours.
const plugins = ["typedoc-plugin-markdown", "typedoc-vitepress-theme"];
run(
  "typedoc",
  plugins.flatMap((name) => ["--plugin", fileURLToPath(import.meta.resolve(name))]),
);
if (!existsSync("reference")) throw new Error("typedoc wrote no reference");
adaptReference("reference");
refuseTwins("reference");
// With the results of the last test run where there are some; else the page lists which tests name a claim.
const results = "../.cache/test-results.json";
run(process.execPath, ["../scripts/conformance.mjs", ...(existsSync(results) ? [results] : [])]);
const printed = run("vitepress", ["build"]);
writeLlmsTexts(".", ".vitepress/dist");
const problems = [
  ...errorsInOutput(printed).map((line) => `VitePress printed an error: ${line}`),
  ...checkSite(".vitepress/dist", site),
];
if (problems.length > 0) {
  console.error(`The site has ${problems.length} problem(s):\n${problems.map((line) => `  ${line}`).join("\n")}`);
  process.exit(1);
}

/**
 * Runs a command to its end and prints its output; a failure ends the build.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @returns {string} its output, both streams
 */
function run(file, args) {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    encoding: "utf8",
    shell: process.platform === "win32",
    maxBuffer: 256 * 1024 * 1024,
  });
  const output = `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`;
  process.stdout.write(output);
  if (status !== 0) process.exit(status ?? 1);
  return output;
}

/**
 * Adapts each generated page of the reference to the site.
 *
 * @param {string} folder
 */
function adaptReference(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".md")) continue;
    const path = join(folder, name);
    writeFileSync(path, adaptReferencePage(readFileSync(path, "utf8")));
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
