// These patterns match control characters.
// oxlint-disable no-control-regex

/** Sequences that move the cursor, set colours or titles, or end in a bell. */
const escapeSequence = /\u001B(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/g;

/** Control characters except tab and newline, and invisible marks that change the direction of text. */
const unprintable = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/**
 * Removes characters that a terminal would execute or misplace, from texts of models, tools and mails before they are
 * printed.
 */
export function printable(text: string): string {
  return text.replaceAll(escapeSequence, "").replaceAll(unprintable, "\uFFFD");
}

/** The same on one line, at most this many characters. */
export function oneLine(text: string, most: number): string {
  const flat = printable(text).replaceAll(/\s+/g, " ").trim();
  return flat.length > most ? `${flat.slice(0, most - 1)}…` : flat;
}
