#!/usr/bin/env node
/**
 * Checks the prose of pages, comments, test titles and messages for constructions that are hard to read.
 *
 *     node scripts/check-prose.mjs            fails when a package has more findings of a rule than the baseline allows
 *     node scripts/check-prose.mjs <path …>   lists the findings in these files or folders
 *     node scripts/check-prose.mjs --update   lowers the baseline to what there is now; it never raises a count
 *
 * @module
 */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { filesBelow } from "./lib/files.mjs";
import { countsOf, findingsOf, areaOf, growth, lowered } from "./lib/prose.mjs";
import { root } from "./lib/project.mjs";

const baselineFile = join(root, "scripts/prose-baseline.json");
const pages = ["README.md", "CONTRIBUTING.md", "AGENTS.md", "SECURITY.md"];
/** Built files, the rules themselves, and texts that the sample app's invented people wrote. */
const excluded =
  /(?:^|\/)(?:CHANGELOG\.md|fixtures\/|mails\/|phrases\/|\.vitepress\/(?:dist|cache|\.temp)\/)|^docs\/(?:reference|conformance|options|events|errors)\/|^scripts\/.*prose[\w-]*\.(?:test\.)?mjs$/;
/** Most findings that are printed for one rule of one package. */
const mostShown = 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { update: { type: "boolean", default: false } },
});
const findings = [
  ...pages.filter((path) => existsSync(join(root, path))),
  ...filesBelow(
    [".changeset", "apps", "bench", "clients", "docs", "examples", "packages", "scripts"],
    (path) => /\.(?:md|[cm]?[jt]s|tsx)$/.test(path) && !excluded.test(path),
  ),
].flatMap((path) => findingsOf(path, readFileSync(join(root, path), "utf8")));

if (positionals.length > 0) {
  const asked = positionals.map((path) => path.replace(/^\.\//, "").replace(/\/$/, ""));
  const wanted = findings.filter(({ path }) => asked.some((one) => path === one || path.startsWith(`${one}/`)));
  for (const finding of wanted) console.log(show(finding));
  console.log(`${wanted.length} findings`);
} else {
  const counts = countsOf(findings);
  const isNew = !existsSync(baselineFile);
  /** @type {import("./lib/prose.mjs").Counts} */
  const baseline = isNew ? (values.update ? counts : {}) : JSON.parse(readFileSync(baselineFile, "utf8"));
  const grown = growth(baseline, counts);
  for (const { area, rule, allowed, count } of grown) {
    console.error(`${area}: ${count} findings of "${rule}", ${allowed} are allowed. The newest files first:`);
    const found = findings.filter((finding) => areaOf(finding.path) === area && finding.rule === rule);
    found.sort((a, b) => changedAt(b.path) - changedAt(a.path));
    for (const finding of found.slice(0, mostShown)) console.error(`  ${show(finding)}`);
  }
  if (values.update) writeFileSync(baselineFile, `${JSON.stringify(lowered(baseline, counts), null, 2)}\n`);
  if (grown.length > 0) process.exitCode = 1;
  else console.log(`${findings.length} findings, none more than the baseline allows`);
}

/**
 * @param {import("./lib/prose.mjs").Finding} finding
 */
function show({ path, line, rule, instead, text }) {
  return `${path}:${line}: "${rule}" in "${text}": ${instead}`;
}

/**
 * @param {string} path
 */
function changedAt(path) {
  return statSync(join(root, path)).mtimeMs;
}
