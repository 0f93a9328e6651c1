import type { ByteStream } from "@bailiwick/core/provider";

/**
 * Bodies of answers that continue each other, as one. What follows is asked for when all that came has been taken in.
 *
 * @param first - The first body.
 * @param next - Asks for the body that follows; nothing when there is none.
 * @yields the bytes as they come.
 */
export async function* joinBodies(
  first: ByteStream,
  next: () => Promise<ByteStream | undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let body: ByteStream | undefined = first; body !== undefined; body = await next()) yield* body;
}
