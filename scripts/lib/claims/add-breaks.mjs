import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testsOfSource } from "../../conformance-tests.mjs";
import { readTables } from "./break-tables.mjs";
import { findBreaks } from "./find-breaks.mjs";
import { families, openClaims } from "./open-claims.mjs";

/**
 * Looks for breaks of claims that have none, and adds those that the claims' tests notice to the tables. Read them before
 * you commit them: an edit that the tests notice may be beside the feature.
 *
 * @param {string} root
 * @param {readonly string[]} names - Packages; default all.
 */
export async function addFoundBreaks(root, names) {
  const known = families(root);
  for (const name of readdirSync(join(root, "packages"))) {
    if (names.length > 0 && !names.includes(name)) continue;
    const path = `packages/${name}/claims.json`;
    const table = readTables(root).get(path) ?? [];
    const open = new Set(openClaims(root, [...readTables(root).values()].flat()));
    const files = testFilesOf(root, `packages/${name}`).map((file) => ({
      file,
      claims: [
        ...new Set(testsOfSource(file, readFileSync(join(root, file), "utf8"), known).flatMap(({ keys }) => keys)),
      ].filter((key) => open.has(key)),
    }));
    let found = 0;
    await findBreaks(
      root,
      files.filter(({ claims }) => claims.length > 0),
      ({ claim, break: one, why }) => {
        if (one === undefined) console.log(`${claim}: ${why}`);
        else if (!table.some((known) => known.claim === claim)) {
          found += 1;
          table.push(one);
        }
      },
      { known: [...readTables(root).values()].flat() },
    );
    if (found > 0) writeTable(join(root, path), table);
    console.log(`${name}: ${found} breaks found`);
  }
}

/** @param {string} path @param {readonly import("./break-tables.mjs").Break[]} table */
export function writeTable(path, table) {
  const sorted = table.toSorted((a, b) => (a.claim < b.claim ? -1 : 1));
  writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** @type {(root: string, folder: string) => string[]} */
function testFilesOf(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ["node_modules", "dist"].includes(entry.name) ? [] : testFilesOf(root, path);
    // A file that needs something of the machine is left to hand-written breaks.
    return /^[^.]+\.test\.ts$/u.test(entry.name) ? [path] : [];
  });
}
