import { mediaSource } from "@bailiwick/core/provider";
import type { ContentPart } from "@bailiwick/core/provider";
import type { WirePart } from "./wire-part.ts";

type MediaPart = Exclude<ContentPart, { readonly type: "text" }>;

/**
 * The content of a user message or a tool result, as parts.
 *
 * @param content - The parts of the message; none is empty.
 */
export function userParts(content: readonly ContentPart[]): readonly WirePart[] {
  return content.map((part) => (part.type === "text" ? { text: part.text } : mediaPart(part)));
}

/**
 * Media as a part: as data, or as an address that the vendor fetches.
 *
 * @param part - An image, audio or file part.
 */
export function mediaPart(part: MediaPart): WirePart {
  const source = mediaSource(part);
  return source.kind === "data"
    ? { inlineData: { mimeType: source.mimeType, data: source.base64 } }
    : { fileData: { mimeType: part.mimeType ?? typeOfUrl(source.url), fileUri: source.url } };
}

/** The vendor requires a type with each address; an image of unknown type gets the most common one. */
function typeOfUrl(url: string): string {
  const extension = /\.(png|gif|webp)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase();
  return extension === undefined ? "image/jpeg" : `image/${extension}`;
}
