// Tests with one edited source: the edit is made while the module is loaded, and nothing on disk is changed.
import { readFileSync } from "node:fs";

/**
 * Loads the text of one file in place of another.
 *
 * @param {string | undefined} setting - JSON of `{ file, text }`: the path of the source, and of the file with its edited
 *   text. Undefined: each source is loaded as it is.
 * @returns {import("vitest/config").Plugin}
 */
export function mutatedFile(setting) {
  /** @type {{ file?: string, text: string }} */
  const { file, text } = setting === undefined ? { text: "" } : JSON.parse(setting);
  return {
    name: "mutated-file",
    enforce: "pre",
    load: (id) => (file !== undefined && id.split("?")[0] === file ? readFileSync(text, "utf8") : undefined),
  };
}
