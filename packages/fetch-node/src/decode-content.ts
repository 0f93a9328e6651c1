import { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Transform } from "node:stream";

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Decodes a content encoding that a server applied although the request did not ask for one.
 *
 * @returns the chunks themselves if no decoding is needed.
 * @throws TypeError for an encoding that is not known.
 */
export function decodeContent<Chunks extends AsyncIterable<Uint8Array>>(
  chunks: Chunks,
  encoding: string | null,
): Chunks | AsyncIterable<Uint8Array> {
  if (encoding === null || encoding === "" || encoding === "identity") return chunks;
  let decoded: AsyncIterable<Uint8Array> = chunks;
  for (const name of encoding
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .reverse()) {
    if (name === "identity") continue;
    const decoder = decoders[name];
    if (decoder === undefined)
      throw new TypeError(`The answer has the content encoding "${name}", which cannot be undone.`);
    decoded = Readable.from(decoded, { objectMode: false }).compose(decoder()) as AsyncIterable<Uint8Array>;
  }
  return decoded;
}
