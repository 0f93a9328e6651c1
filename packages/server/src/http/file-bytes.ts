import type { ContentPart } from "@bailiwick/core";
import { invalid } from "./request-error.ts";

/** A file of a message, as base64. */
interface SentFile {
  readonly data: string;
  readonly mimeType: string;
}

/**
 * Refuses files whose bytes have another type than their media type: a program would read what the policy and the
 * model treat as an image.
 *
 * @param content - Content of a user's message.
 * @throws RequestError `INVALID_REQUEST`
 */
export async function checkFileBytes(content: readonly ContentPart[]): Promise<void> {
  const files = content.flatMap((part): SentFile[] =>
    (part.type === "file" || part.type === "image") && typeof part.data === "string"
      ? [{ data: part.data, mimeType: part.mimeType ?? "" }]
      : [],
  );
  // Most messages have no file: the signatures are loaded with the first one.
  if (files.length > 0) await Promise.all(files.map(checkFile));
}

async function checkFile({ data, mimeType }: SentFile): Promise<void> {
  const { fileTypeFromBuffer, supportedMimeTypes } = await import("file-type");
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const found = (await fileTypeFromBuffer(bytes))?.mime;
  const isText = mimeType.startsWith("text/") || /[/+](?:json|xml)$/u.test(mimeType);
  const isKnown = supportedMimeTypes.has(mimeType);
  if (isText ? isPlain(bytes) && (found === undefined || /xml|^text\//u.test(found)) : !isKnown || found === mimeType)
    return;
  throw invalid(
    `A file is sent as "${mimeType}" and its bytes are ${found === undefined ? "of no such type" : `"${found}"`}. Send it with its own media type.`,
  );
}

/** True for text in UTF-8 without NUL. */
function isPlain(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder("utf-8", { fatal: true }).decode(bytes).includes("\0");
  } catch {
    return false;
  }
}
