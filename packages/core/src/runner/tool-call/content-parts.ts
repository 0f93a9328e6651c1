import type { ContentPart } from "../../contracts/content-part.ts";

/** What is wrong with a list of content parts; `undefined` when nothing is. */
export function contentPartProblem(parts: unknown): string | undefined {
  if (!Array.isArray(parts)) return "its contentParts are not an array";
  const bad = parts.findIndex((part) => !isContentPart(part));
  return bad === -1 ? undefined : `contentParts[${bad}] is no text, image, audio or file part`;
}

/** Whether a value is a content part by its shape. */
export function isContentPart(value: unknown): value is ContentPart {
  if (typeof value !== "object" || value === null) return false;
  const part = value as Partial<Record<string, unknown>>;
  switch (part["type"]) {
    case "text":
      return typeof part["text"] === "string";
    case "image":
      return isData(part["data"]) || typeof part["url"] === "string";
    case "audio":
      return isData(part["data"]) && typeof part["mimeType"] === "string";
    case "file":
      return (isData(part["data"]) || typeof part["url"] === "string") && typeof part["mimeType"] === "string";
    default:
      return false;
  }
}

function isData(value: unknown): boolean {
  return typeof value === "string" || value instanceof Uint8Array;
}

/** A part as the journal keeps it: bytes as base64, and an image's plain web address as `url`. */
export function plainPart(part: ContentPart): ContentPart {
  if (part.type === "text" || part.data === undefined) return part;
  if (part.data instanceof Uint8Array) return { ...part, data: toBase64(part.data) };
  if (part.type === "image" && /^https?:\/\//i.test(part.data)) {
    const { data, ...rest } = part;
    return { ...rest, url: data };
  }
  return part;
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  const step = 0x8000;
  for (let start = 0; start < bytes.length; start += step)
    binary += String.fromCharCode(...bytes.subarray(start, start + step));
  return btoa(binary);
}
