import { objectsOf, textOf, type JsonObject } from "./json.ts";

/** A media part as a vendor reads it: the type that the request declares, and base64. */
export interface MediaData {
  readonly type: string;
  readonly base64: string;
}

/** Images that OpenAI and Anthropic read. */
export const commonImages: readonly string[] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/**
 * Reads a `data:` URL; `undefined` when the text is another address.
 *
 * @param url - The value of an image or file field.
 */
export function dataUrl(url: unknown): MediaData | undefined {
  const match = /^data:([^;,]*)(?:;[^,]*)?,(.*)$/s.exec(textOf(url));
  return match === null ? undefined : { type: match[1] ?? "", base64: match[2] ?? "" };
}

const beginnings: readonly (readonly [string, string])[] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
];

/** The type of an image by its first bytes; `undefined` for other content. */
export function imageTypeOf(base64: string): string | undefined {
  return beginnings.find(([begin]) => base64.startsWith(begin))?.[1];
}

/** Parts of a list of messages or items, with the place of each. */
export function partsWithin(
  messages: unknown,
  field: "content" | "output",
): readonly { readonly part: JsonObject; readonly at: string }[] {
  return objectsOf(messages).flatMap((message, index) =>
    objectsOf(message[field]).map((part, place) => ({ part, at: `[${index}].${field}[${place}]` })),
  );
}
