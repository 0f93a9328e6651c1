#!/usr/bin/env node
/**
 * Checks the prose of pages, comments, test titles and messages for constructions that are hard to read.
 *
 *     node scripts/check-prose.mjs            the whole repository
 *     node scripts/check-prose.mjs <path …>   these files or folders
 *
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "./lib/files.mjs";
import { findingsOf } from "./lib/prose.mjs";
import { root } from "./lib/project.mjs";

const pages = ["README.md", "CONTRIBUTING.md", "AGENTS.md", "SECURITY.md"];
/** Built files, the rules themselves, and texts that the sample app's invented people wrote. */
const excluded =
  /(?:^|\/)(?:CHANGELOG\.md|fixtures\/|mails\/|phrases\/|\.vitepress\/(?:dist|cache|\.temp)\/)|^docs\/(?:reference|conformance|options|events|errors)\/|^scripts\/.*prose[\w-]*\.(?:test\.)?mjs$/;
const wanted = process.argv.slice(2).map((path) => path.replace(/^\.\//, "").replace(/\/$/, ""));
const isWanted = (/** @type {string} */ path) =>
  wanted.length === 0 || wanted.some((one) => path === one || path.startsWith(`${one}/`));

const findings = [
  ...pages.filter((path) => existsSync(join(root, path))),
  ...filesBelow(
    [".changeset", "apps", "bench", "clients", "docs", "examples", "packages", "scripts"],
    (path) => /\.(?:md|[cm]?[jt]s|tsx)$/.test(path) && !excluded.test(path),
  ),
]
  .filter(isWanted)
  .flatMap((path) => findingsOf(path, readFileSync(join(root, path), "utf8")));

for (const { path, line, rule, instead, text } of findings)
  console.error(`${path}:${line}: "${rule}" in "${text}": ${instead}`);
console.log(`${findings.length} findings`);
process.exitCode = findings.length > 0 ? 1 : 0;
