import { toBase64 } from "../json/base64.ts";
import type { AudioPart, FilePart, ImagePart } from "../contracts/content-part.ts";

/** The content of a media part: an address that the vendor can fetch, or data in the request. */
export type MediaSource =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "data"; readonly base64: string; readonly mimeType: string };

/**
 * Reads a media part in any of its forms: base64, a `data:` URL, bytes, or a URL.
 *
 * @param part - An image, audio or file part. An image without a type counts as a PNG unless its bytes show another
 *   type.
 */
export function mediaSource(part: ImagePart | AudioPart | FilePart): MediaSource {
  if ("url" in part && part.url !== undefined) {
    const read = readDataUrl(part.url);
    return read === undefined ? { kind: "url", url: part.url } : { kind: "data", ...read };
  }
  const { data } = part as { readonly data: string | Uint8Array };
  if (typeof data !== "string") {
    const base64 = toBase64(data);
    return { kind: "data", base64, mimeType: part.mimeType ?? imageType(base64) };
  }
  if (/^https?:\/\//i.test(data)) return { kind: "url", url: data };
  const read = readDataUrl(data);
  if (read !== undefined) return { kind: "data", base64: read.base64, mimeType: part.mimeType ?? read.mimeType };
  return { kind: "data", base64: data, mimeType: part.mimeType ?? imageType(data) };
}

/**
 * A media part as one URL: its own, or a `data:` URL.
 *
 * @param part - An image, audio or file part.
 */
export function mediaDataUrl(part: ImagePart | AudioPart | FilePart): string {
  const source = mediaSource(part);
  return source.kind === "url" ? source.url : `data:${source.mimeType};base64,${source.base64}`;
}

/**
 * Parses a `data:` URL; `undefined` if the text is not one.
 *
 * @param text - Any text.
 */
export function readDataUrl(text: string): { readonly base64: string; readonly mimeType: string } | undefined {
  if (!text.startsWith("data:")) return undefined;
  const comma = text.indexOf(",");
  if (comma === -1) return undefined;
  const head = text.slice("data:".length, comma);
  const body = text.slice(comma + 1);
  const isBase64 = head.endsWith(";base64");
  const mimeType = (isBase64 ? head.slice(0, -";base64".length) : head) || "text/plain";
  return { mimeType, base64: isBase64 ? body : toBase64(new TextEncoder().encode(decodeURIComponent(body))) };
}

/** First bytes of the common types of files. */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8/, "image/gif"],
  [/^\x89PNG/, "image/png"],
  [/^RIFF[^]{4}WEBP/, "image/webp"],
  [/^RIFF[^]{4}WAVE/, "audio/wav"],
  [/^BM[^]{4}\0{4}/, "image/bmp"],
  [/^(II\*\0|MM\0\*)/, "image/tiff"],
  [/^[^]{4}ftyp(heic|heix|mif1|msf1)/, "image/heic"],
  [/^%PDF-/, "application/pdf"],
  [/^PK(?=[^ -~]{2})/, "application/zip"],
  [/^\s*<svg/, "image/svg+xml"],
];

/** The type of a file by its first bytes; `undefined` if it is not a common one. */
export function typeOfBytes(base64: string): string | undefined {
  let head: string;
  try {
    head = atob(base64.slice(0, 32));
  } catch {
    return undefined;
  }
  return beginnings.find(([begin]) => begin.test(head))?.[1];
}

/** The type of an image by its bytes. */
function imageType(base64: string): string {
  const type = typeOfBytes(base64);
  return type?.startsWith("image/") === true ? type : "image/png";
}
