// Builds the site: the API reference from the packages' doc comments, then the pages, then llms.txt; then checks it.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { writeLlmsTexts } from "./llms.mjs";
import { chromium } from "../scripts/lib/capabilities.mjs";
import { browseSite } from "./site/browse-site.mjs";
import { checkSite, errorsInOutput } from "./site/check-site.mjs";
import { writeErrorPages } from "./site/error-pages.mjs";
import { writeEventPage } from "./site/event-page.mjs";
import { optionPagesOf } from "./site/option-list.mjs";
import { writeOptionPages } from "./site/option-pages.mjs";
import {
  undescribedParameters,
  undocumentedExports,
  undocumentedMembers,
  unlistedEntryPoints,
} from "./site/reference-gaps.mjs";
import { adaptReferencePage, referenceIndex, sourceOf, topicsOf } from "./site/reference-page.mjs";
import { searches } from "./site/searches.mjs";
import { shareSmallPages } from "./site/shared-pages.mjs";
import { site } from "./site/site.mjs";
import { markdownOfComment } from "./site/typedoc-text.mjs";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));
let stepBegan = performance.now();
for (const folder of ["reference", ".vitepress/dist"]) rmSync(folder, { recursive: true, force: true });
run(process.execPath, ["site/run-typedoc.mjs"]);
if (!existsSync("reference")) throw new Error("typedoc wrote no reference");
printTime("API reference");
const project = JSON.parse(readFileSync(".cache/reference.json", "utf8"));
const pages = markdownBelow("reference");
refuseTwins(pages);
const optionPages = optionPagesOf(project);
for (const path of pages) {
  const file = join("reference", path);
  writeFileSync(file, adaptReferencePage(readFileSync(file, "utf8"), path, optionPages));
}
addTopics();
linkMedia();
writeFileSync("reference/index.md", referenceIndex(project));
shareSmallPages(project, "reference");
const { eventTableMarkdown } = await import("../packages/core/src/events/event-meanings.ts");
const { optionTable } = await import("../packages/core/src/runner/settings/option-table.ts");
const merges = new Map(Object.entries(optionTable.both).map(([name, row]) => [name, row.merge.rule]));
writeEventPage(project, eventTableMarkdown(), "events");
writeErrorPages("errors");
const gaps = [
  ...undocumentedMembers(project),
  ...undescribedParameters(project),
  ...unlistedEntryPoints(project),
  ...undocumentedExports(project),
  ...writeOptionPages(project, "options", merges),
];
// Uses the results of the last test run, if there are any; otherwise the page lists which tests name a claim.
const results = "../.cache/test-results.json";
run(process.execPath, ["../scripts/conformance.mjs", ...(existsSync(results) ? [results] : [])]);
printTime("generated pages");
const vitepress = join(dirname(fileURLToPath(import.meta.resolve("vitepress/package.json"))), "bin", "vitepress.js");
const printed = run(process.execPath, [vitepress, "build"]);
printTime("VitePress");
writeLlmsTexts(".", ".vitepress/dist");
// One page of each kind.
const opened = [
  "/",
  "/quickstart",
  "/guides/security",
  "/guides/options",
  "/guides/concepts",
  "/recipes/",
  "/reference/agent/",
  "/reference/core/main/functions/tool",
  "/reference/core/main/runs",
  "/errors/RUN_BUSY",
  "/events/",
];
const problems = [
  ...gaps,
  ...errorsInOutput(printed).map((line) => `VitePress printed an error: ${line}`),
  ...checkSite(".vitepress/dist", site),
  ...(chromium === "" ? [] : await browseSite(".vitepress/dist", opened, searches, chromium)),
];
printTime("checks");
if (problems.length > 0) {
  console.error(`The site has ${problems.length} problem(s):\n${problems.map((line) => `  ${line}`).join("\n")}`);
  process.exit(1);
}

/**
 * Prints the seconds since the last step of the build.
 *
 * @param {string} step
 */
function printTime(step) {
  const now = performance.now();
  console.log(`${step}: ${((now - stepBegan) / 1_000).toFixed(1)} s`);
  stepBegan = now;
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
    maxBuffer: 256 * 1024 * 1024,
  });
  const output = `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`;
  process.stdout.write(output);
  if (status !== 0) process.exit(status ?? 1);
  return output;
}

/**
 * The Markdown files below a folder, relative to it.
 *
 * @param {string} folder
 * @returns {string[]}
 */
function markdownBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.replaceAll("\\", "/"));
}

/** Lists the exports of the facade by topic on its page; each links to the page where it is documented. */
function addTopics() {
  const file = join("reference", "agent", "index.md");
  const page = readFileSync(file, "utf8");
  const found = new Map(
    markdownBelow("reference")
      .filter((path) => !path.endsWith("index.md") && !path.startsWith("testing/"))
      .map((path) => [path.slice(path.lastIndexOf("/") + 1, -".md".length), path]),
  );
  /** @type {Map<string, string>} */
  const summaries = new Map();
  for (const pack of project.children)
    for (const module of pack.children[0]?.kind === 2 ? pack.children : [pack])
      for (const one of module.children ?? [])
        summaries.set(one.name, markdownOfComment(one.comment ?? one.signatures?.[0]?.comment));
  const topics = topicsOf(
    readFileSync("../packages/agent/src/index.ts", "utf8"),
    (name) => {
      const path = found.get(name);
      return path === undefined ? undefined : relative(dirname(file), join("reference", path)).replaceAll("\\", "/");
    },
    (name) => (summaries.get(name) ?? "").replaceAll(/\s+/g, " ").replaceAll("|", "\\|"),
  );
  const entries = page.slice(page.search(/^## Modules$/m)).replace("## Modules", "## Entry points");
  writeFileSync(file, `${page.slice(0, page.search(/^## Modules$/m))}${topics}\n${entries}`);
}

/** TypeDoc copies the pages that a README links to. The site has these pages, so the links lead there. */
function linkMedia() {
  const own = [
    ...readdirSync(".").filter((name) => name.endsWith(".md")),
    ...["guides", "recipes", "migrate", "spec", "decisions"].flatMap((folder) =>
      markdownBelow(folder).map((path) => `${folder}/${path}`),
    ),
  ];
  const pageOf = (/** @type {string} */ name) => own.find((path) => path.endsWith(`/${name}`) || path === name);
  for (const path of markdownBelow("reference")) {
    const file = join("reference", path);
    const text = readFileSync(file, "utf8");
    const linked = text.replace(
      /\[([^\]]+)\]\((?:\.\.\/)*_media\/([\w.-]+)(#[\w-]+)?\)/g,
      (_, label, name, anchor = "") => {
        const page = pageOf(name);
        return page === undefined ? label : `[${label}](/${page}${anchor})`;
      },
    );
    if (linked !== text) writeFileSync(file, linked);
  }
  rmSync("reference/_media", { recursive: true, force: true });
}

/**
 * An export of two packages is documented where it is defined.
 *
 * @param {readonly string[]} paths
 */
function refuseTwins(paths) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const name of paths) {
    const defined = sourceOf(readFileSync(join("reference", name), "utf8"));
    if (defined === undefined) continue;
    const twin = found.get(defined);
    if (twin !== undefined) throw new Error(`${defined} is documented twice: ${twin} and ${name}`);
    found.set(defined, name);
  }
}
