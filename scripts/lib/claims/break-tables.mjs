/**
 * The tables of breaks: for each claim an edit that removes its feature, and the test file that has to notice.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * An edit that removes the feature of a claim.
 *
 * @typedef {object} Break
 * @property {string} claim - Id of the specification, `field-bug:<id>` or `feature:<id>`.
 * @property {string} test - Test file, from the repository's root. Its tests that name the claim have to fail.
 * @property {string} file - File that is edited, from the repository's root.
 * @property {string} find - Text that occurs once in the file.
 * @property {string} replace - Text in its place.
 * @property {boolean} [inCopy] - The edit is made on disk, in a copy: the tests start processes or bundle files that read it.
 */

/**
 * Groups a list, in its order.
 *
 * @template Item, Key
 * @param {readonly Item[]} list
 * @param {(item: Item) => Key} keyOf
 * @returns {Map<Key, Item[]>}
 */
export function groupBy(list, keyOf) {
  /** @type {Map<Key, Item[]>} */
  const groups = new Map();
  for (const item of list) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/** The tests that name a claim, as a pattern of their titles. @param {string} claim */
export function patternOf(claim) {
  const text = claim.replaceAll(/[.*+?^${}()|[\]\\]/gu, "\\$&");
  return claim.includes(":") ? `${text}(?![a-zA-Z0-9-])` : `\\[${text}\\]`;
}

/**
 * Reads the tables of all packages.
 *
 * @param {string} root
 * @returns {Map<string, Break[]>} by path of the table, from the root.
 */
export function readTables(root) {
  /** @type {Map<string, Break[]>} */
  const tables = new Map();
  const groups = ["packages", "apps"].filter((group) => existsSync(join(root, group)));
  const folders = groups.flatMap((group) =>
    readdirSync(join(root, group))
      .toSorted()
      .map((name) => `${group}/${name}`),
  );
  for (const folder of [...folders, "scripts"]) {
    const path = `${folder}/claims.json`;
    if (existsSync(join(root, path))) tables.set(path, JSON.parse(readFileSync(join(root, path), "utf8")));
  }
  return tables;
}

/** The table that has the breaks of a test file. @param {string} test */
export const tableOf = (test) =>
  test.startsWith("scripts/") ? "scripts/claims.json" : `${test.split("/").slice(0, 2).join("/")}/claims.json`;

/** Sources of packages, by path from the root. @type {Map<string, Map<string, string>>} */
const sources = new Map();

/** @type {(root: string, folder: string) => string[]} */
function sourceFiles(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sourceFiles(root, path);
    return entry.name.endsWith(".ts") && !entry.name.includes(".test") ? [path] : [];
  });
}

/** @type {(root: string, file: string) => Map<string, string>} */
function sourcesBeside(root, file) {
  const folder = file.split("/").slice(0, 3).join("/");
  if (folder === file) return new Map();
  let known = sources.get(root + folder);
  if (known === undefined) {
    const files = existsSync(join(root, folder)) ? sourceFiles(root, folder) : [];
    known = new Map(files.map((path) => [path, readFileSync(join(root, path), "utf8")]));
    sources.set(root + folder, known);
  }
  return known;
}

/**
 * The file that a break edits now: its own, or the only one of the package that its text moved to.
 *
 * @param {string} root
 * @param {Break} one
 * @returns {string}
 */
export function fileOf(root, { file, find }) {
  const path = join(root, file);
  if (existsSync(path) && readFileSync(path, "utf8").includes(find)) return file;
  const all = sourcesBeside(root, file);
  const holders = [...all].filter(([, text]) => text.includes(find));
  return holders.length === 1 ? /** @type {string} */ (holders[0]?.[0]) : file;
}

/**
 * The text of a file with the edit.
 *
 * @param {string} source - The file as it is.
 * @param {Break} one
 * @returns {{ text: string } | { problem: string }}
 */
export function applyBreak(source, { claim, file, find, replace }) {
  const times = source.split(find).length - 1;
  if (times === 1) return { text: source.replace(find, () => replace) };
  const seen = find.length > 100 ? `${find.slice(0, 100)}…` : find;
  return {
    problem: `The break of ${claim} no longer applies: ${JSON.stringify(seen)} occurs ${times} times in ${file}. Look at that file, and write the edit that removes the feature now.`,
  };
}

/**
 * The text of the file that a break edits now, with the edit.
 *
 * @param {string} root
 * @param {Break} one
 */
export function readBroken(root, one) {
  const path = join(root, fileOf(root, one));
  if (existsSync(path)) return applyBreak(readFileSync(path, "utf8"), one);
  return {
    problem: `The break of ${one.claim} no longer applies: ${one.file} is gone, and no other file has its text.`,
  };
}

/** The reason why a break no longer applies; `undefined` if it does. @param {string} root @param {Break} one */
export function problemOf(root, one) {
  const read = readBroken(root, one);
  return "problem" in read ? read.problem : undefined;
}
