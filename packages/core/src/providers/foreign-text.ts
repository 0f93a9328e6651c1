import { wellFormed } from "../json/well-formed.ts";

/** Maximum number of characters of a foreign server's text that a pattern reads: some patterns take quadratic time. */
const longestRead = 10_000;

/**
 * The beginning of a text that a foreign server sent, such as the message of an error or the page of a proxy. Call it
 * before a regular expression reads the text.
 *
 * @param text - The text, of any length. Remove secrets first: one that the end cuts in two is not found any more.
 */
export function beginningOf(text: string): string {
  return text.length <= longestRead ? text : wellFormed(text.slice(0, longestRead));
}
