// Judges prose by the rules.
import { passagesOf } from "./prose-passages.mjs";
import { proseRules } from "./prose-rules.mjs";

/**
 * @typedef {{ path: string, line: number, rule: string, instead: string, text: string }} Finding
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
