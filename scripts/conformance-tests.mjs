/**
 * Finds the tests that name an id of the spec: in a vitest JSON result, and in the titles that are in test sources.
 *
 * @module
 */

import { compare, idsIn } from "./conformance-spec.mjs";

/**
 * @typedef {"passed" | "failed" | "not run"} TestStatus
 *
 * @typedef {object} NamedTest
 * @property {string} file path from the repository's root
 * @property {string} name the title with its ids taken out
 * @property {string[]} keys spec ids, `field-bug:<id>` and `feature:<id>`
 * @property {TestStatus} status how it came out
 *
 * @typedef {{ ancestorTitles: string[], title: string, status: string }} VitestAssertion
 * @typedef {{ testResults: { name: string, assertionResults: VitestAssertion[] }[] }} VitestReport
 */

const REFERENCE = /\b(field-bug:PB-[a-z0-9]+(?:-[a-z0-9]+)*|feature:[SX]\d{3})\b/g;
// A title is the first argument of a test call, or any literal that begins or ends with an id (a row of a table of cases).
const CALL_TITLE = /\b(?:test|it|describe)\b[^"'`\n;]*?\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;
const CASE_TITLE =
  /(["'`])((?:\[[a-z][a-z0-9.-]*\]|field-bug:|feature:)(?:\\.|(?!\1)[^\\\n])*|(?:\\.|(?!\1)[^\\\n])*\[(?:[a-z][a-z0-9-]*\.[a-z0-9.-]+|field-bug:[\w-]+|feature:[SX]\d{3})\])\1/g;

/**
 * The ids in a title. Bracketed words outside the spec's own families, such as `[0.5]` or `[index.ts]`, are not ids.
 *
 * @param {string} title
 * @param {ReadonlySet<string>} families first words of the spec's ids
 * @returns {string[]}
 */
export function keysOfTitle(title, families) {
  const ids = idsIn(title).filter((id) => families.has(id.slice(0, id.indexOf("."))));
  const references = [...title.matchAll(REFERENCE)].map((match) => match[1] ?? "");
  return [...new Set([...ids, ...references])];
}

/**
 * The title without the ids that the table already shows.
 *
 * @param {string} title
 * @param {readonly string[]} keys
 * @returns {string}
 */
function readable(title, keys) {
  let text = title;
  for (const key of keys) text = text.replaceAll(`[${key}]`, " ").replaceAll(key, " ");
  return text
    .replace(/\s+/g, " ")
    .replace(/^[\s:,·;-]+/, "")
    .trim();
}

/**
 * The tests of a vitest `--reporter=json` result. A skipped test and one to be written prove nothing: "not run".
 *
 * @param {VitestReport} report
 * @param {string} root absolute path of the repository, without a slash at its end
 * @param {ReadonlySet<string>} families
 * @returns {{ files: Set<string>, tests: NamedTest[] }} every file of the result, and its tests that name something
 */
export function testsOfReport(report, root, families) {
  /** @type {Set<string>} */
  const files = new Set();
  /** @type {NamedTest[]} */
  const tests = [];
  for (const result of report.testResults) {
    const file = result.name.startsWith(`${root}/`) ? result.name.slice(root.length + 1) : result.name;
    files.add(file);
    for (const assertion of result.assertionResults) {
      const title = [...assertion.ancestorTitles, assertion.title].filter(Boolean).join(" › ");
      const keys = keysOfTitle(title, families);
      const { status } = assertion;
      if (keys.length === 0) continue;
      tests.push({
        file,
        name: readable(title, keys),
        keys,
        status: status === "passed" || status === "failed" ? status : "not run",
      });
    }
  }
  return { files, tests };
}

/**
 * The tests that a source names in plain sight. Titles put together at run time are only in a result.
 *
 * @param {string} file path from the repository's root
 * @param {string} source
 * @param {ReadonlySet<string>} families
 * @returns {NamedTest[]}
 */
export function testsOfSource(file, source, families) {
  /** @type {Map<number, string>} */
  const titles = new Map();
  for (const pattern of [CALL_TITLE, CASE_TITLE]) {
    for (const match of source.matchAll(pattern)) titles.set(match.index + match[0].length, match[2] ?? "");
  }
  return [...titles.values()].flatMap((raw) => {
    const title = raw.replace(/\\(.)/g, "$1");
    const keys = keysOfTitle(title, families);
    return keys.length === 0 ? [] : [{ file, name: readable(title, keys), keys, status: "not run" }];
  });
}

/**
 * Joins results with sources: a file that a result covers is taken from the result alone.
 *
 * @param {readonly { files: ReadonlySet<string>, tests: readonly NamedTest[] }[]} reports
 * @param {readonly NamedTest[]} scanned
 * @returns {NamedTest[]} ordered by file and name
 */
export function joinTests(reports, scanned) {
  const covered = new Set(reports.flatMap((report) => [...report.files]));
  const tests = [...reports.flatMap((report) => report.tests), ...scanned.filter((test) => !covered.has(test.file))];
  return tests.sort((a, b) => compare(a.file, b.file) || compare(a.name, b.name) || compare(a.status, b.status));
}
