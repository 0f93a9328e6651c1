import type { WireError } from "../wire-error.ts";
import { type JsonObject } from "../json.ts";
import { commonImages, dataUrl, partsWithin } from "../media-data.ts";
import { invalidRequest } from "../openai/openai-error.ts";
import { firstProblem } from "../openai/string-limits.ts";
import type { Refusal } from "../refusal.ts";
import { ownItems } from "./input-items.ts";

const wires = ["openai-responses"] as const;

/** Documents, tables, presentations and texts. */
const fileTypes =
  /^(text\/.+|application\/(pdf|json|xml|yaml|x-yaml|javascript|typescript|sql|rtf|msword|vnd\.(ms-|openxmlformats-officedocument\.|oasis\.opendocument\.).+))$/;

/** Refusals of the Responses API about media, in messages and in the outputs of tools. */
export const responsesMediaRefusals: readonly Refusal[] = [
  {
    id: "responses.image-type",
    wires,
    when: "An image is empty, or is not PNG, JPEG, GIF or WebP.",
    source: "https://github.com/mkht/PSOpenAI/issues/43",
    find: ({ body }) =>
      everyPart(body, (part, at) => {
        const image = part["type"] === "input_image" ? dataUrl(part["image_url"]) : undefined;
        return image === undefined || (commonImages.includes(image.type) && image.base64 !== "")
          ? undefined
          : invalidRequest(
              `Invalid 'input${at}.image_url'. Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got unsupported MIME type '${image.type}'.`,
              `input${at}.image_url`,
              "invalid_value",
            );
      }),
  },
  {
    id: "responses.file-type",
    wires,
    when: "A file is empty, or is not a document, table, presentation or text.",
    source: "https://developers.openai.com/api/docs/guides/file-inputs",
    find: ({ body }) =>
      everyPart(body, (part, at) => {
        if (part["type"] !== "input_file" || part["file_data"] === undefined) return undefined;
        const file = dataUrl(part["file_data"]);
        return file !== undefined && file.base64 !== "" && fileTypes.test(file.type)
          ? undefined
          : invalidRequest(
              `Invalid 'input${at}.file_data'. Expected a base64-encoded data URL with a supported MIME type, but got unsupported MIME type '${file?.type ?? ""}'.`,
              `input${at}.file_data`,
              "invalid_value",
            );
      }),
  },
];

function everyPart(
  body: JsonObject,
  check: (part: JsonObject, at: string) => WireError | undefined,
): WireError | undefined {
  const items = ownItems(body);
  return firstProblem([...partsWithin(items, "content"), ...partsWithin(items, "output")], ({ part, at }) =>
    check(part, at),
  );
}
