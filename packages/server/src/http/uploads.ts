import { checkKnownNames, ConfigurationError, type ContentPart, type ImageMimeType } from "@bailiwick/core";
import { asText } from "./read-body.ts";
import { invalid } from "./request-error.ts";

/** Limits of files in the messages of users. */
export interface UploadOptions {
  /** Maximum number of files of one message; default 10. */
  readonly maxFiles?: number | undefined;
  /** Largest file in bytes; default 8 MiB. A message may have four of this size, unless `maxBodyBytes` says otherwise. */
  readonly maxBytes?: number | undefined;
  /** Accepted media types, such as `image/*`; default: images, PDF, plain text, Markdown, CSV and JSON. */
  readonly mediaTypes?: readonly string[] | undefined;
  /** `true` if the user wrote the content of the files. Default `false`: their content is labelled untrusted. */
  readonly trusted?: boolean | undefined;
}

/** A file as a client sends it. */
interface UploadedFile {
  /** A `data:` URL with base64, or base64. */
  readonly data: unknown;
  readonly mediaType: unknown;
  readonly filename?: unknown;
}

/** Reads the files of one message. */
export interface UploadReader {
  /** @throws RequestError `INVALID_REQUEST` for a file that is too large, of another type, or not in the message itself. */
  read(file: UploadedFile): ContentPart;
}

const usualTypes: readonly string[] = [
  "image/*",
  "application/pdf",
  "text/plain",
  "text/markdown",
  "text/csv",
  "application/json",
];
const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const optionNames: { readonly [Name in keyof Required<UploadOptions>]: true } = {
  maxFiles: true,
  maxBytes: true,
  mediaTypes: true,
  trusted: true,
};

/**
 * Refuses invalid limits.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 */
export function checkUploads(uploads: UploadOptions | undefined): void {
  if (uploads === undefined) return;
  checkKnownNames(uploads, Object.keys(optionNames), '"uploads"');
  for (const name of ["maxFiles", "maxBytes"] as const) {
    const value = uploads[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
      throw new ConfigurationError("INVALID_OPTION", `"uploads.${name}" must be a whole number, not ${String(value)}.`);
  }
  const wrong = uploads.mediaTypes?.find((type) => !/^[a-z]+\/(?:\*|[a-z0-9.+-]+)$/u.test(type));
  if (wrong !== undefined)
    throw new ConfigurationError(
      "INVALID_OPTION",
      `"uploads.mediaTypes" has "${wrong}". Use types such as "application/pdf" or "image/*".`,
    );
}

const usualFiles = 10;
const usualBytes = 8_388_608;

/** Number of the largest files that one request has space for. */
const filesTogether = 4;

/** Maximum size of a body without files, in bytes. */
const plainBody = 1_048_576;

/**
 * Default of the maximum size of a body, in bytes.
 *
 * @param uploads - The limits of files; `undefined` for a request that has no files.
 */
export function largestBody(uploads: UploadOptions | undefined): number {
  if (uploads === undefined) return plainBody;
  const { maxFiles = usualFiles, maxBytes = usualBytes } = uploads;
  return plainBody + Math.ceil((Math.min(maxFiles, filesTogether) * maxBytes * 4) / 3);
}

/** Returns a function that reads one message's files. */
export function uploadReader(uploads: UploadOptions = {}): UploadReader {
  const { maxFiles = usualFiles, maxBytes = usualBytes, mediaTypes = usualTypes, trusted = false } = uploads;
  let files = 0;
  return {
    read({ data: given, mediaType, filename }) {
      files += 1;
      if (files > maxFiles) throw invalid(`A message may hold ${maxFiles} files at most. Send fewer.`);
      const inline = /^data:([^;,]*)[^,]*;base64,(.*)$/su.exec(asText(given, "A file's data"));
      const data = inline?.[2] ?? asText(given, "A file's data");
      // A fetched address could be anything by the time that it is read.
      if (!/^[A-Za-z0-9+/]*={0,2}$/u.test(data)) throw invalid("Send files as data: URLs with base64.");
      const type =
        asText(mediaType ?? inline?.[1], "A file's media type")
          .toLowerCase()
          .split(";")[0]
          ?.trim() ?? "";
      if (!mediaTypes.some((one) => one === type || (one.endsWith("/*") && type.startsWith(one.slice(0, -1)))))
        throw invalid(`Files of type "${type}" are not accepted. Send one of ${mediaTypes.join(", ")}.`);
      const bytes = Math.floor((data.replace(/=+$/u, "").length * 3) / 4);
      if (bytes > maxBytes) throw invalid(`A file has ${bytes} bytes; at most ${maxBytes} are accepted.`);
      const untrusted = trusted ? {} : { untrusted: true };
      if (imageTypes.has(type)) return { type: "image", data, mimeType: type as ImageMimeType, ...untrusted };
      return { type: "file", data, mimeType: type, ...(typeof filename === "string" && { filename }), ...untrusted };
    },
  };
}
