import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { familiesOf, keysOfSpec } from "../../conformance-report.mjs";
import { readSpec } from "../../conformance-spec.mjs";

/** @typedef {import("./break-tables.mjs").Break} Break */

/** The specification. @param {string} root */
export function specOf(root) {
  const folder = join(root, "docs/spec");
  const pages = readdirSync(folder).filter((file) => file.endsWith(".md"));
  return readSpec(
    new Map(pages.map((file) => [file.slice(0, -".md".length), readFileSync(join(folder, file), "utf8")])),
  );
}

/**
 * The claims that no break tests. A feature of the checklist that names claims follows from them.
 *
 * @param {string} root
 * @param {readonly Break[]} breaks
 * @returns {string[]}
 */
export function openClaims(root, breaks) {
  const spec = specOf(root);
  const broken = new Set(breaks.map(({ claim }) => claim));
  const derived = new Set(spec.features.filter(({ provedBy }) => provedBy.length > 0).map(({ id }) => `feature:${id}`));
  return keysOfSpec(spec)
    .filter((key) => !broken.has(key) && !derived.has(key))
    .toSorted();
}

/** The claims that were without a break before. @param {string} root @returns {string[]} */
export function readOpen(root) {
  const file = join(root, "scripts/claims-open.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
}

/** The families of the specification's ids. @param {string} root */
export const families = (root) => familiesOf(specOf(root));
