// Judges prose by the rules, and compares the counts with those of a baseline that may only shrink.
import { passagesOf } from "./prose-passages.mjs";
import { proseRules } from "./prose-rules.mjs";

/**
 * @typedef {{ path: string, line: number, rule: string, instead: string, text: string }} Finding
 * @typedef {Record<string, Record<string, number>>} Counts findings by area and rule
 */

/**
 * @param {string} path
 * @param {string} text
 * @returns {Finding[]}
 */
export function findingsOf(path, text) {
  return passagesOf(path, text).flatMap((passage) =>
    proseRules
      .filter(({ kinds }) => kinds === undefined || kinds.includes(passage.kind))
      .flatMap(({ name, pattern, instead }) =>
        [...passage.text.matchAll(pattern)].map((match) => ({
          path,
          line: passage.line,
          rule: name,
          instead,
          text: passage.text.slice(Math.max(0, match.index - 30), match.index + 50),
        })),
      ),
  );
}

/**
 * The part of the repository that a file is counted with: its package, or its folder of the documentation.
 *
 * @param {string} path
 */
export function areaOf(path) {
  const [first = "", second = "", third] = path.split("/");
  if (["packages", "apps"].includes(first)) return `${first}/${second}`;
  if (first === "docs") return third === undefined ? "docs" : `docs/${second}`;
  return second === "" ? "root" : first;
}

/**
 * @param {readonly Finding[]} findings
 * @returns {Counts}
 */
export function countsOf(findings) {
  /** @type {Counts} */
  const counts = {};
  for (const { path, rule } of findings) {
    const area = (counts[areaOf(path)] ??= {});
    area[rule] = (area[rule] ?? 0) + 1;
  }
  return counts;
}

/**
 * The areas and rules with more findings than the baseline allows. An area that the baseline does not have allows none.
 *
 * @param {Counts} baseline
 * @param {Counts} counts
 * @returns {{ area: string, rule: string, allowed: number, count: number }[]}
 */
export function growth(baseline, counts) {
  return Object.entries(counts).flatMap(([area, rules]) =>
    Object.entries(rules)
      .map(([rule, count]) => ({ area, rule, allowed: baseline[area]?.[rule] ?? 0, count }))
      .filter(({ allowed, count }) => count > allowed),
  );
}

/**
 * The baseline with every count lowered to what there is now. A count that has grown stays.
 *
 * @param {Counts} baseline
 * @param {Counts} counts
 * @returns {Counts}
 */
export function lowered(baseline, counts) {
  /** @type {Counts} */
  const next = {};
  for (const area of Object.keys(baseline).sort()) {
    const rules = Object.entries(baseline[area] ?? {})
      .map(([rule, allowed]) => /** @type {const} */ ([rule, Math.min(allowed, counts[area]?.[rule] ?? 0)]))
      .filter(([, count]) => count > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    if (rules.length > 0) next[area] = Object.fromEntries(rules);
  }
  return next;
}
