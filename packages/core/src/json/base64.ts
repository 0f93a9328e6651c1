/** The part of Node's `Buffer` that is used here; other platforms may have it too. */
interface BytesOfNode {
  from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: "base64"): string };
}

/**
 * Bytes as base64 text, by the platform's fastest way.
 *
 * @param bytes - Any bytes.
 */
export function toBase64(bytes: Uint8Array): string {
  const native = bytes as Uint8Array & { toBase64?: () => string };
  if (native.toBase64 !== undefined) return native.toBase64();
  const { Buffer } = globalThis as { readonly Buffer?: BytesOfNode };
  if (Buffer !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  let text = "";
  // Converts in pieces, because the number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}

/** The bytes of a base64 text. */
export function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
