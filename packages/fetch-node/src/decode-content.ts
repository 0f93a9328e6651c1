import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import type { Transform } from "node:stream";

/** Makes the decoder of an encoding; the first byte tells apart the two forms of `deflate` that servers send. */
const decoders: ReadonlyMap<string, (firstByte: number) => Transform> = new Map<
  string,
  (firstByte: number) => Transform
>([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  // The standard means zlib's format, whose first byte names method 8; some servers leave its header out.
  ["deflate", (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw())],
  ["br", () => createBrotliDecompress()],
]);

/**
 * Decodes a content encoding that a server applied although the request did not ask for one.
 *
 * @returns the chunks themselves if no decoding is needed. Chunks that end early or are broken throw a TypeError
 * where they are read.
 * @throws TypeError for an encoding that is not known.
 */
export function decodeContent<Chunks extends AsyncIterable<Uint8Array>>(
  chunks: Chunks,
  encoding: string | null,
): Chunks | AsyncIterable<Uint8Array> {
  if (encoding === null) return chunks;
  let decoded: AsyncIterable<Uint8Array> = chunks;
  for (const name of encoding
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .reverse()) {
    if (name === "" || name === "identity") continue;
    const make = decoders.get(name);
    if (make === undefined)
      throw new TypeError(`The answer has the content encoding "${name}", which cannot be undone.`);
    decoded = decode(decoded, name, make);
  }
  return decoded as Chunks | AsyncIterable<Uint8Array>;
}

function decode(
  coded: AsyncIterable<Uint8Array>,
  name: string,
  make: (firstByte: number) => Transform,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const source = coded[Symbol.asyncIterator]();
      const plain = decodedChunks(source, name, make);
      return {
        next: () => plain.next(),
        async return() {
          // The generator may wait for the source: a source that is left first wakes it.
          await source.return?.();
          return plain.return(undefined);
        },
      };
    },
  };
}

async function* decodedChunks(
  source: AsyncIterator<Uint8Array>,
  name: string,
  make: (firstByte: number) => Transform,
): AsyncGenerator<Uint8Array, undefined> {
  const first = await firstChunk(source);
  if (first === undefined) return undefined;
  const decoder = make(first[0] ?? 0);
  let ofSource: { readonly error: unknown } | undefined;
  // A stream without a listener for errors ends the process with them.
  decoder.on("error", () => undefined);
  const feed = async (): Promise<void> => {
    let chunk: Uint8Array | undefined = first;
    while (chunk !== undefined && !decoder.destroyed) {
      if (!decoder.write(chunk)) await drained(decoder);
      const { done, value }: IteratorResult<Uint8Array> = await source.next();
      chunk = done === true ? undefined : value;
    }
    decoder.end();
  };
  const fed = feed().catch((error: unknown) => {
    ofSource = { error };
    decoder.destroy();
  });
  try {
    yield* decoder as AsyncIterable<Uint8Array>;
  } catch (error) {
    // A failed connection is the reason of the broken content, and says if a repetition is safe.
    if (ofSource !== undefined) throw ofSource.error;
    const reason = (error as Error).message;
    throw new TypeError(`The ${name} content of the answer is broken or ended early: ${reason}`, { cause: error });
  } finally {
    decoder.destroy();
    await source.return?.();
    await fed;
  }
  return undefined;
}

/** The first chunk that has a byte; `undefined` if the body is empty, which no decoder accepts. */
async function firstChunk(source: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await source.next();
    if (done === true) return undefined;
    if (value.byteLength > 0) return value;
  }
}

function drained(decoder: Transform): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      decoder.off("drain", settle);
      decoder.off("close", settle);
      resolve();
    };
    decoder.on("drain", settle);
    decoder.on("close", settle);
    if (decoder.destroyed) settle();
  });
}
