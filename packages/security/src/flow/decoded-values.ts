import { textOf } from "./question-text.ts";

/** Encodings of a one-word text that a reader could decode. */
const decoders: readonly ((text: string) => string | undefined)[] = [
  (text) =>
    /^[\w+/-]{4,}={0,2}$/u.test(text) ? bytesOf(() => atob(text.replaceAll("-", "+").replaceAll("_", "/"))) : undefined,
  (text) => (/^(?:[\da-f]{2})+$/iu.test(text) ? bytesOf(() => hexOf(text)) : undefined),
  (text) =>
    /%[\da-f]{2}/iu.test(text)
      ? bytesOf(() => text.replaceAll(/%[\da-f]{2}/giu, (one) => hexOf(one.slice(1))))
      : undefined,
  (text) => [...text].toReversed().join(""),
  (text) => text.replaceAll(/[a-z]/giu, (letter) => rotated(letter)),
];

/** Tells if a value is an argument in another encoding: a reader that decodes it adds nothing [questions.selected]. */
export function decodes(value: unknown, input: unknown): boolean {
  if (typeof input !== "string") return false;
  const own = lettersOf(textOf(value));
  return own !== "" && decoders.some((decode) => lettersOf(decode(input) ?? "") === own);
}

/** The letters and digits of a text, in lower case. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** The text of some bytes, one letter each; `undefined` if they are not text. */
function bytesOf(read: () => string): string | undefined {
  try {
    const bytes = read();
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function hexOf(text: string): string {
  return (text.match(/../gu) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join("");
}

/** ROT13 of a letter. */
function rotated(letter: string): string {
  const base = letter <= "Z" ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
}
