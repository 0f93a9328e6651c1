import { inOneLine } from "./one-line.ts";

/** Characters of a value that a question shows. */
export const valueShown = 200;

/** A value as text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** The beginning of a text, on one line. */
export function cut(text: string, most: number): string {
  const line = inOneLine(text);
  return line.length <= most ? line : `${line.slice(0, most).toWellFormed()} …`;
}
