import { checkArgument } from "@bailiwick/core";
import type { ScriptMessage } from "../script/script-request.ts";

/** Minimum number of letters and digits in each part of a split text, except the last one. */
const leastPart = 8;

/**
 * True if a conversation contains a text in a form that a model can read: plain, in base64, with invisible characters
 * in between, in tag characters, or split over several messages in order.
 *
 * @param text - The text to find.
 * @param messages - The model's input.
 */
export function isSeen(text: string, messages: readonly ScriptMessage[]): boolean {
  checkArgument(text, "string", "isSeen(text, messages)");
  checkArgument(messages, "array", "isSeen(text, messages)");
  const given = messages.map((message) => message.toolResult?.text ?? message.text);
  const wanted = squeezed(text);
  const whole = given.map(squeezed);
  if (whole.some((each) => each.includes(wanted))) return true;
  if (given.some((each) => squeezed(decodedBase64(each)).includes(wanted))) return true;
  let left = wanted;
  for (const each of whole) left = left.slice(beginningIn(each, left));
  return left === "";
}

/** Length of the beginning of a text that another one contains; a few characters count as none. */
function beginningIn(text: string, wanted: string): number {
  if (!text.includes(wanted.slice(0, leastPart))) return 0;
  let held = 0;
  let beyond = wanted.length + 1;
  while (beyond - held > 1) {
    const middle = Math.floor((held + beyond) / 2);
    if (text.includes(wanted.slice(0, middle))) held = middle;
    else beyond = middle;
  }
  return held === wanted.length || held >= leastPart ? held : 0;
}

/** Letters and digits only; tag characters as the letters that they encode. */
function squeezed(text: string): string {
  const plain = [...text].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    return code >= 0xe0020 && code <= 0xe007e ? String.fromCodePoint(code - 0xe0000) : character;
  });
  return plain
    .join("")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

function decodedBase64(text: string): string {
  return (text.match(/[A-Za-z0-9+/]{16,}={0,2}/gu) ?? [])
    .map((piece) => {
      try {
        return new TextDecoder().decode(Uint8Array.from(atob(piece), (character) => character.charCodeAt(0)));
      } catch {
        return "";
      }
    })
    .join("\n");
}
