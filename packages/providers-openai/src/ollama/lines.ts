import type { ByteStream } from "@bailiwick/core/provider";

const newline = 10;
const begin = new TextEncoder().encode("data: ");
const between = new TextEncoder().encode("\n\ndata: ");

/**
 * A body of JSON lines as the event stream that all adapters read: each line is one event. Works on bytes, so the body
 * may be split anywhere.
 *
 * @param body - The body.
 */
export function asEvents(body: ByteStream): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const source = readerOf(body);
      let begun = false;
      return {
        async next() {
          const { done, value } = await source.next();
          if (done === true || value === undefined) return { done: true, value: undefined };
          const head = begun ? [] : [begin];
          begun = true;
          return { done: false, value: joined([...head, ...framed(value)]) };
        },
        async return() {
          await source.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** Pieces of a chunk, with the frame of an event in place of each line's end. */
function framed(chunk: Uint8Array): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
    pieces.push(chunk.subarray(start, end), between);
    start = end + 1;
  }
  pieces.push(chunk.subarray(start));
  return pieces;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Not every platform iterates web streams. */
function readerOf(body: ByteStream): AsyncIterator<Uint8Array> {
  if (!("getReader" in body)) return body[Symbol.asyncIterator]();
  const reader = body.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done || value === undefined ? { done: true, value: undefined } : { done: false, value };
    },
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}
