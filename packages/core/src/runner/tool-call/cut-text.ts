/** Bytes that a token stands for when results are measured. */
export const bytesPerToken = 4;

const encoder = new TextEncoder();

/** Length in UTF-8; counted only when the number of characters leaves it open whether `limit` is passed. */
export function exceedsBytes(text: string, limit: number): boolean {
  if (text.length * 3 <= limit) return false;
  if (text.length > limit) return true;
  return encoder.encode(text).length > limit;
}

/** Length in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** The beginning of a text in at most `limit` bytes, never half a character. */
export function headOf(text: string, limit: number): string {
  if (!exceedsBytes(text, limit)) return text;
  return cutAt(text, limit, false);
}

/** The end of a text in at most `limit` bytes, never half a character. */
export function tailOf(text: string, limit: number): string {
  if (!exceedsBytes(text, limit)) return text;
  return cutAt(text, limit, true);
}

function cutAt(text: string, limit: number, fromEnd: boolean): string {
  if (limit <= 0) return "";
  // A character has at least one byte, so no more than `limit` of them can fit.
  let low = 0;
  let high = Math.min(text.length, limit);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const piece = fromEnd ? text.slice(text.length - middle) : text.slice(0, middle);
    if (exceedsBytes(piece, limit)) high = middle - 1;
    else low = middle;
  }
  const piece = fromEnd ? text.slice(text.length - low) : text.slice(0, low);
  return withoutHalfPair(piece, fromEnd);
}

function withoutHalfPair(piece: string, fromEnd: boolean): string {
  const code = piece.charCodeAt(fromEnd ? 0 : piece.length - 1);
  if (fromEnd) return code >= 0xdc00 && code <= 0xdfff ? piece.slice(1) : piece;
  return code >= 0xd800 && code <= 0xdbff ? piece.slice(0, -1) : piece;
}

/**
 * Shortens a text to a number of bytes, with a note about what was cut.
 *
 * @param strategy - `middle` keeps both ends, `tail` the end.
 * @param advice - How to read the rest.
 */
export function cutText(text: string, limit: number, strategy: "middle" | "tail", advice: string): string {
  const note = (left: number): string => `[… ${left} of ${text.length} characters left out. ${advice} …]`;
  const room = Math.max(0, limit - byteLength(note(text.length)) - 2);
  if (strategy === "tail") {
    const tail = tailOf(text, room);
    return `${note(text.length - tail.length)}\n${tail}`;
  }
  const head = headOf(text, Math.ceil(room / 2));
  const tail = tailOf(text, room - Math.ceil(room / 2));
  return `${head}\n${note(text.length - head.length - tail.length)}\n${tail}`;
}
