import { neutraliseMarkup } from "./neutralise-markup.ts";
import { controlsFound, invisibleFound, markupFound, scanText } from "./scan-text.ts";
import { stripInvisible } from "./strip-invisible.ts";

/**
 * Removes text that people do not see and machines interpret: terminal escapes, control and invisible characters,
 * role and tool-call markup. A second pass changes nothing.
 *
 * @param text - Any text.
 *
 * @example
 * ```ts
 * import { stripText } from "@bailiwick/security";
 *
 * console.log(stripText("\u001b[31mred\u001b[0m")); // red
 * ```
 */
export function stripText(text: string): string {
  return stripScanned(text, scanText(text));
}

/** The same, for a text that is already scanned. */
export function stripScanned(text: string, found: number): string {
  if ((found & (controlsFound | invisibleFound | markupFound)) === 0) return text;
  let clean = text;
  if (found & controlsFound) clean = stripControls(clean);
  if (found & invisibleFound) clean = stripInvisible(clean);
  return found & markupFound ? neutraliseMarkup(clean) : clean;
}

/**
 * Terminal escape sequences (CSI, OSC with its terminator, other two-byte escapes, and their 8-bit forms) and control
 * characters other than tab and line breaks.
 *
 * @see ECMA-48, and the OSC sequences of xterm
 */
const sequences =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the point
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c|$)|\x1b[ -/]*[0-~]?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

// oxlint-disable-next-line no-control-regex -- finding control characters is the point
const anyControl = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/**
 * Removes terminal escapes and control characters.
 *
 * @param text - Any text.
 * @returns The same text, by identity, if nothing is removed.
 */
function stripControls(text: string): string {
  let clean = text;
  // A removed sequence may bring the parts of another together.
  while (anyControl.test(clean)) clean = clean.replace(sequences, "");
  return clean;
}
