import { renameSync, writeFileSync } from "node:fs";

/**
 * Writes JSON into a second file, and then renames it: a killed process leaves either the old file or the new one.
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
