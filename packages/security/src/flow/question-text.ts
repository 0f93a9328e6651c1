import { stripText } from "../sanitize/strip-text.ts";

/** Characters of a value that a question shows. */
export const valueShown = 200;

/** A value as text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Text that a model or a tool may have written: on one line, so that it cannot add lines to the question. */
export function inOneLine(text: string): string {
  return stripText(text.replaceAll(/[\n\r\u2028\u2029]+/gu, " "));
}

/** The beginning of a text, on one line. */
export function cut(text: string, most: number): string {
  const line = inOneLine(text);
  return line.length <= most ? line : `${line.slice(0, most).toWellFormed()} …`;
}
