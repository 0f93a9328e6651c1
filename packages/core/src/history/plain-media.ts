import type { ContentPart } from "../contracts/content-part.ts";
import type { Message } from "../contracts/message.ts";
import { toBase64 } from "../json/base64.ts";

/**
 * A part whose bytes are base64 text. Called where a part enters a run, so that its bytes are converted once, and
 * nothing in a run writes bytes as JSON, which makes a member of each byte.
 *
 * @param part - A part of a message. Returned unchanged if it has no bytes.
 */
export function plainMedia<Part>(part: Part): Part {
  return hasBytes(part) ? { ...part, data: toBase64(part.data) } : part;
}

function hasBytes(part: unknown): part is { readonly data: Uint8Array } {
  return (part as { readonly data?: unknown }).data instanceof Uint8Array;
}

/**
 * {@link plainMedia} for the parts of a message.
 *
 * @param message - A canonical message. Returned unchanged if no part has bytes.
 */
export function withPlainMedia<Given extends Message>(message: Given): Given {
  const { content } = message as { readonly content: string | readonly ContentPart[] };
  if (typeof content === "string" || !content.some(hasBytes)) return message;
  return { ...message, content: content.map(plainMedia) };
}
