import { checkArgument } from "@bailiwick/core/provider";
import type { FileUrlPart } from "@bailiwick/core/provider";

const scheme = "anthropic-file:";

/**
 * A file stored with Anthropic, by its id: an upload to send, or a file that the vendor's code made.
 *
 * @param fileId - The vendor's id, such as `file_011C…`.
 * @param mimeType - Its type: an image is sent as an image, any other type as a document.
 * @param filename - Its title in citations.
 * @example
 * ```ts
 * import { storedFile } from "@bailiwick/providers-anthropic";
 *
 * export const contract = storedFile("file_011CNha8iCJcU1wXNR6q4V8w", "application/pdf");
 * ```
 */
export function storedFile(fileId: string, mimeType: string, filename?: string): FileUrlPart {
  for (const given of [fileId, mimeType]) checkArgument(given, "string", "storedFile(fileId, mimeType)");
  return { type: "file", url: `${scheme}${fileId}`, mimeType, ...(filename === undefined ? {} : { filename }) };
}

/** The id in the URL of a {@link storedFile}. */
export function storedFileId(url: string): string | undefined {
  return url.startsWith(scheme) ? url.slice(scheme.length) : undefined;
}
