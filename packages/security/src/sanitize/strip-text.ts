import { neutraliseMarkup } from "./neutralise-markup.ts";
import { controlsFound, invisibleFound, markupFound, scanText } from "./scan-text.ts";
import { stripControls } from "./strip-controls.ts";
import { stripInvisible } from "./strip-invisible.ts";

/**
 * Removes what people do not see and what speaks to machines: terminal escapes, control and invisible characters, role
 * and tool-call markup. Running it twice changes nothing more.
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

/** The same for a text that was scanned before. */
export function stripScanned(text: string, found: number): string {
  if ((found & (controlsFound | invisibleFound | markupFound)) === 0) return text;
  let clean = text;
  if (found & controlsFound) clean = stripControls(clean);
  if (found & invisibleFound) clean = stripInvisible(clean);
  return neutraliseMarkup(clean);
}
