import { firstFound } from "../first-found.ts";
import { objectOf, objectsOf, textOf, type JsonObject } from "../json.ts";
import type { Refusal } from "../refusal.ts";
import { invalidArgument } from "./google-error.ts";

const wires = ["google-generate"] as const;

/** Documents, texts, audio, video, and the images that the vendor reads. */
const taken = /^(image\/(png|jpeg|webp|heic|heif)|audio\/.+|video\/.+|text\/.+|application\/pdf)$/;

/** Refusals of the Gemini API about media, in contents and in the responses of functions. */
export const generateMediaRefusals: readonly Refusal[] = [
  {
    id: "google.media-type",
    wires,
    when: "Data have a type that the vendor does not read, such as SVG, GIF and ZIP.",
    source: "https://github.com/google-gemini/gemini-cli/issues/3054",
    find: ({ body }) =>
      firstFound(inlineData(body), ({ mimeType }) =>
        taken.test(textOf(mimeType)) ? undefined : invalidArgument(`Unsupported MIME type: ${textOf(mimeType)}`),
      ),
  },
  {
    id: "google.media-empty",
    wires,
    when: "Data are empty.",
    source: "https://ai.google.dev/api/caching#Blob",
    find: ({ body }) =>
      firstFound(inlineData(body), ({ data }) =>
        textOf(data) === "" ? invalidArgument("Unable to process input: inline_data is empty") : undefined,
      ),
  },
];

function inlineData(body: JsonObject): readonly JsonObject[] {
  const parts = objectsOf(body["contents"]).flatMap(({ parts: all }) => objectsOf(all));
  const within = parts.flatMap((part) => objectsOf(objectOf(part["functionResponse"])["parts"]));
  return [...parts, ...within].flatMap((part) =>
    part["inlineData"] === undefined ? [] : [objectOf(part["inlineData"])],
  );
}
