import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { keysOfSpec } from "../../conformance-report.mjs";
import { readSpec } from "../../conformance-spec.mjs";

/** @typedef {import("./break-tables.mjs").Break} Break */

/** The claims that were without a break before, from the repository's root. */
export const openFile = "scripts/claims-open.json";

/** The claims that no edit can disprove, each with the reason, from the repository's root. */
const notTestableFile = "scripts/claims-not-testable.json";

/** The specification. @param {string} root */
function specOf(root) {
  const folder = join(root, "docs/spec");
  const pages = readdirSync(folder).filter((file) => file.endsWith(".md"));
  return readSpec(
    new Map(pages.map((file) => [file.slice(0, -".md".length), readFileSync(join(folder, file), "utf8")])),
  );
}

/**
 * The testable claims without a break. A feature of the checklist that names claims follows from them.
 *
 * @param {string} root
 * @param {readonly Break[]} breaks
 * @returns {string[]}
 */
export function openClaims(root, breaks) {
  const spec = specOf(root);
  const broken = new Set(breaks.map(({ claim }) => claim));
  const notTestable = readNotTestable(root);
  const derived = new Set(spec.features.filter(({ provedBy }) => provedBy.length > 0).map(({ id }) => `feature:${id}`));
  return keysOfSpec(spec)
    .filter((key) => !broken.has(key) && !derived.has(key) && notTestable[key] === undefined)
    .toSorted();
}

/** The reason of each claim that no edit can disprove. @param {string} root @returns {Record<string, string>} */
export function readNotTestable(root) {
  const file = join(root, notTestableFile);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

/** Problems of the list of claims that no edit can disprove. @param {string} root @param {readonly Break[]} breaks */
export function notTestableProblems(root, breaks) {
  const keys = new Set(keysOfSpec(specOf(root)));
  return Object.entries(readNotTestable(root)).flatMap(([claim, reason]) => [
    ...(keys.has(claim) ? [] : [`${claim} is not a claim of the specification`]),
    ...(breaks.some((one) => one.claim === claim) ? [`${claim} has a break: it can be tested`] : []),
    ...(reason.trim() === "" ? [`${claim} has no reason`] : []),
  ]);
}

/** The claims that were without a break before. @param {string} root @returns {string[]} */
export function readOpen(root) {
  const file = join(root, openFile);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
}

/**
 * The sentence of each claim: the line of the specification that has its id.
 *
 * @param {string} root
 * @returns {Map<string, string>}
 */
export function sentencesOf(root) {
  const spec = specOf(root);
  const folder = join(root, "docs/spec");
  /** @type {Map<string, string>} */
  const sentences = new Map();
  for (const { name, ids } of spec.pages) {
    const lines = readFileSync(join(folder, `${name}.md`), "utf8").split("\n");
    for (const id of ids) {
      const line = lines.find((one) => one.includes(`[${id}]`)) ?? "";
      // A row of a table says it in its other cells; other lines say it after the id.
      const said = /^\| `?\[/u.test(line) ? line : line.slice(line.indexOf(`[${id}]`) + id.length + 2);
      const next = said.search(/(?<!^\| `?)\[[a-z][a-z0-9-]*\.[a-z0-9.-]+\]/u);
      sentences.set(id, next > 40 ? said.slice(0, next) : said);
    }
  }
  for (const { id, text } of spec.fieldBugs) sentences.set(`field-bug:${id}`, text);
  for (const { id, text } of spec.features) sentences.set(`feature:${id}`, text);
  return sentences;
}
