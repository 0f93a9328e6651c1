/** Findings of one pass over a text that need a closer look. */
export const controlsFound: number = 1;
export const invisibleFound: number = 2;
export const markupFound: number = 4;
export const encodedFound: number = 8;

const flags = new Uint8Array(0x10000);
/** A character of base64. */
const base64 = 16;
const mark = (from: number, to: number, flag: number): void => {
  for (let code = from; code <= to; code += 1) flags[code] = (flags[code] ?? 0) | flag;
};
mark(0x00, 0x08, controlsFound);
mark(0x0b, 0x0c, controlsFound);
mark(0x0e, 0x1f, controlsFound);
mark(0x7f, 0x9f, controlsFound);
for (const [from, to] of [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  // First halves of the pairs that hold the invisible characters beyond the basic plane.
  [0xd82f, 0xd82f],
  [0xd834, 0xd834],
  [0xdb40, 0xdb43],
] as const) {
  mark(from, to, invisibleFound);
}
// Markup begins with "<" or "[", or is a role with a colon: "n:" of Human and "t:" of Assistant.
for (const character of "<[:") mark(character.charCodeAt(0), character.charCodeAt(0), markupFound);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
  mark(character.charCodeAt(0), character.charCodeAt(0), base64);

/** Shortest run of base64 that is examined, a power of two. */
const shortestRun = 32;

/** True if a code unit is an invisible character, or the first half of one. */
export function mayBeInvisible(unit: number): boolean {
  return ((flags[unit] as number) & invisibleFound) !== 0;
}

/**
 * Examines each character once, without branches: in ordinary text they would be mispredicted.
 *
 * @param text - Any text.
 * @returns The closer scans that the text needs, as bits.
 */
export function scanText(text: string): number {
  let found = 0;
  let run = 0;
  let runs = 0;
  for (let index = 0; index < text.length; index += 1) {
    const flag = flags[text.charCodeAt(index)] as number;
    found |= flag;
    // Continues counting after a character of base64, and restarts after another.
    run = (run + 1) & -(flag >> 4);
    runs |= run;
  }
  return (found & ~base64) | (runs >= shortestRun ? encodedFound : 0);
}
