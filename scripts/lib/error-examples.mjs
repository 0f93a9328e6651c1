// The examples of the error codes, which the site and `bailiwick explain` show: TypeScript, or commands of a shell.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./project.mjs";

/** The folder of the examples: a file for each topic, in which each code has a list of lines. */
const folder = "packages/cli/src/explain/examples";

/**
 * @typedef {object} ErrorExample
 * @property {string} file in which the example is
 * @property {"ts" | "sh"} language
 * @property {string} text
 */

/**
 * Reads the examples of all error codes.
 *
 * @returns {Map<string, ErrorExample>} by code
 */
export function errorExamples() {
  /** @type {Map<string, ErrorExample>} */
  const examples = new Map();
  for (const name of readdirSync(join(root, folder)).filter((path) => path.endsWith(".json"))) {
    const file = `${folder}/${name}`;
    /** @type {Record<string, string[]>} */
    const codes = JSON.parse(readFileSync(join(root, file), "utf8"));
    for (const [code, lines] of Object.entries(codes)) {
      if (examples.has(code)) throw new Error(`${code} has two examples.`);
      const text = lines.join("\n");
      examples.set(code, {
        file,
        language: /^(?:import|export|declare) /m.test(text) && !text.startsWith("#") ? "ts" : "sh",
        text,
      });
    }
  }
  return examples;
}
