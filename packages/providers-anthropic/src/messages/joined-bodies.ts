import type { ByteStream } from "@bailiwick/core/provider";

/**
 * Joins the bodies of answers that continue each other. The next one is requested when the previous one has been
 * read.
 *
 * @param first - The first body.
 * @param next - Requests the next body; `undefined` if there is none.
 * @yields the bytes as they come.
 */
export async function* joinBodies(
  first: ByteStream,
  next: () => Promise<ByteStream | undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let body: ByteStream | undefined = first; body !== undefined; body = await next()) yield* body;
}
