import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { problemOf, readTables, tableOf } from "./break-tables.mjs";
import { findBreaks } from "./find-breaks.mjs";
import { openClaims, openFile, readOpen, sentencesOf } from "./open-claims.mjs";
import { replaceJson } from "./replace-file.mjs";
import { tryBreaks } from "./try-breaks.mjs";

/** @typedef {import("./break-tables.mjs").Break} Break */

const folderOfFound = ".cache/claims-found";

/**
 * Looks for breaks of claims that have none. Prints those that the claims' tests notice, numbered, for a person to
 * choose, because an edit that the tests notice may not concern the feature.
 *
 * @param {string} root
 * @param {readonly string[]} parts - Packages, parts of claims or of test files; default all.
 */
export async function printFoundBreaks(root, parts) {
  const sentences = sentencesOf(root);
  mkdirSync(join(root, folderOfFound), { recursive: true });
  const before = new Set(
    readdirSync(join(root, folderOfFound))
      .flatMap((file) => JSON.parse(readFileSync(join(root, folderOfFound, file), "utf8")))
      .flatMap(({ claim, suggestions }) => (suggestions.length > 0 ? [claim] : [])),
  );
  const open = openClaims(root, [...readTables(root).values()].flat()).filter((claim) => !before.has(claim));
  const names = readdirSync(join(root, "packages"));
  const packages = names.filter((name) => parts.includes(name));
  const rest = parts.filter((part) => !names.includes(part));
  for (const name of packages.length > 0 ? packages : names) {
    const all = testFilesOf(root, `packages/${name}`);
    const files = all.filter((file) => rest.some((part) => file.includes(part)));
    const claims = open.filter((claim) => rest.some((part) => claim.includes(part)));
    /** @type {import("./find-breaks.mjs").Found[]} */
    const found = [];
    await findBreaks(
      root,
      files.length > 0 ? files : all,
      { claims: claims.length > 0 ? claims : open, sentenceOf: (claim) => sentences.get(claim) ?? "" },
      (one) => {
        found.push(one);
        replaceJson(join(root, folderOfFound, `${name}-${process.pid}.json`), found, 1);
        console.log(textOfFound(one, sentences.get(one.claim) ?? ""));
      },
    );
  }
}

/** @type {(found: import("./find-breaks.mjs").Found, sentence: string) => string} */
function textOfFound({ claim, test, titles, suggestions, why }, sentence) {
  return [
    `## ${claim}  (${test})`,
    `   ${sentence.slice(0, 400)}`,
    ...titles.map((title) => `   test: ${title}`),
    ...suggestions.map(
      ({ break: { file, find, replace }, besides }, index) =>
        `${index + 1}. ${file} (others ${besides})\n   - ${find}\n   + ${replace}`,
    ),
    ...(why === undefined ? [] : [`   none: ${why}`]),
  ].join("\n");
}

/**
 * Tries breaks, and adds those that the claims' tests notice to the tables.
 *
 * @param {string} root
 * @param {string} file - JSON: a list of breaks, without `test` if only one file has tests of the claim.
 */
export async function addBreaks(root, file) {
  /** @type {Break[]} */
  const list = JSON.parse(readFileSync(file, "utf8"));
  const tables = readTables(root);
  let added = 0;
  await tryBreaks(root, list, {
    // Tests were changed for breaks that were not noticed, also in files that the verdict's key does not name.
    fresh: true,
    onTried: ({ break: one, verdict, detail }) => {
      console.log(`${one.claim}: ${verdict} (${one.test})${detail === undefined ? "" : `: ${detail}`}`);
      if (verdict !== "noticed") return;
      const path = tableOf(one.test);
      const table = tables.get(path) ?? [];
      if (table.some(({ claim, find, test }) => claim === one.claim && find === one.find && test === one.test)) return;
      added += 1;
      // Replaces the claim's earlier edits that no longer apply.
      const rest = table.filter(
        (old) => old.claim !== one.claim || old.test !== one.test || problemOf(root, old) === undefined,
      );
      const changed = [...rest, one].toSorted((a, b) => (a.claim < b.claim ? -1 : Number(a.claim > b.claim)));
      tables.set(path, changed);
      replaceJson(join(root, path), changed);
    },
  });
  const open = new Set(openClaims(root, [...readTables(root).values()].flat()));
  replaceJson(
    join(root, openFile),
    readOpen(root).filter((claim) => open.has(claim)),
  );
  console.log(`${added} of ${list.length} breaks added; ${open.size} claims without one`);
}

/** @type {(root: string, folder: string) => string[]} */
function testFilesOf(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ["node_modules", "dist"].includes(entry.name) ? [] : testFilesOf(root, path);
    // Skips tests that need a service or feature of the machine (`*.postgres.test.ts`); their
    // breaks are written by hand.
    return /^[^.]+\.test\.ts$/u.test(entry.name) ? [path] : [];
  });
}
