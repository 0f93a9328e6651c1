// These patterns match control characters.
// oxlint-disable no-control-regex

/** Sequences that move the cursor, set colours or titles, or end in a bell. */
const escapeSequence = /\u001B(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/g;

/** Control characters except tab and newline, and characters that are invisible or change the direction of text. */
const unprintable =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu;

/** Colours, which the command itself prints. */
const colour = /(\u001B\[[0-9;]*m)/;

/**
 * Removes characters that a terminal would execute or misplace, from texts of models, tools and mails before they are
 * printed.
 */
export function printable(text: string): string {
  return text.replaceAll(escapeSequence, "").replaceAll(unprintable, "\uFFFD");
}

/** The same for a whole output, whose colours stay. */
export function printableOutput(text: string): string {
  return text
    .split(colour)
    .map((part, at) => (at % 2 === 1 ? part : printable(part)))
    .join("");
}

/** JSON whose unprintable characters are escaped: a value that is read from it has them. */
export function printableJson(json: string): string {
  return json.replaceAll(unprintable, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
      "",
    ),
  );
}

/** The same as `printable` on one line, at most this many characters. */
export function oneLine(text: string, most: number): string {
  const flat = printable(text).replaceAll(/\s+/g, " ").trim();
  return flat.length > most ? `${flat.slice(0, most - 1)}…` : flat;
}
