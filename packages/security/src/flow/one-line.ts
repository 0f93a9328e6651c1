import { stripText } from "../sanitize/strip-text.ts";

/** Text that a model or a tool may have written: on one line, so that it adds no line to a question or an explanation. */
export function inOneLine(text: string): string {
  return stripText(text.replaceAll(/[\n\r\u2028\u2029]+/gu, " "));
}
