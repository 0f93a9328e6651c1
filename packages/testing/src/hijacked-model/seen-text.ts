import type { ScriptMessage } from "../script/script-request.ts";

/**
 * Whether a text is somewhere in a conversation, as a model would find it: as it is, in base64, with invisible
 * characters in between, in tag characters, or split over several messages.
 *
 * @param text - What is looked for.
 * @param messages - What the model was given.
 */
export function isSeen(text: string, messages: readonly ScriptMessage[]): boolean {
  const given = messages.map((message) => message.toolResult?.text ?? message.text);
  const wanted = squeezed(text);
  const whole = given.map(squeezed);
  if (whole.some((each) => each.includes(wanted))) return true;
  if (given.some((each) => squeezed(decodedBase64(each)).includes(wanted))) return true;
  // A part that was cut off is taken as read when the next part follows anywhere after it.
  const half = Math.ceil(wanted.length / 2);
  const first = whole.findIndex((each) => each.includes(wanted.slice(0, half)));
  return first >= 0 && whole.some((each, index) => index > first && each.includes(wanted.slice(half)));
}

/** Letters and digits only, tag characters read as what they stand for. */
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
