import { renameSync, writeFileSync } from "node:fs";

/**
 * Writes JSON into a second file, and gives it the name of the first: a process that is killed leaves the old file or the
 * new one, and no half of one.
 *
 * @param {string} path
 * @param {unknown} value
 * @param {number} [indent]
 */
export function replaceJson(path, value, indent = 2) {
  const second = `${path}.${process.pid}.new`;
  writeFileSync(second, `${JSON.stringify(value, null, indent)}\n`);
  renameSync(second, path);
}
