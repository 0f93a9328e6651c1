import { objectOf, textOf } from "../json.ts";
import { commonImages, dataUrl, partsWithin } from "../media-data.ts";
import { invalidRequest } from "../openai/openai-error.ts";
import { firstProblem } from "../openai/string-limits.ts";
import type { Refusal } from "../refusal.ts";

const wires = ["openai-chat"] as const;

/** Refusals of Chat Completions about media. */
export const chatMediaRefusals: readonly Refusal[] = [
  {
    id: "chat.image-type",
    wires,
    when: "An image is empty, or is not PNG, JPEG, GIF or WebP.",
    source: "https://github.com/CosmosShadow/gptpdf/issues/6",
    find: ({ body }) =>
      firstProblem(partsWithin(body["messages"], "content"), ({ part }) => {
        const image = dataUrl(objectOf(part["image_url"])["url"]);
        return part["type"] !== "image_url" ||
          image === undefined ||
          (commonImages.includes(image.type) && image.base64 !== "")
          ? undefined
          : invalidRequest(
              "You uploaded an unsupported image. Please make sure your image is below 20 MB in size and is of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
              null,
              "invalid_image_format",
            );
      }),
  },
  {
    id: "chat.file-type",
    wires,
    when: "A file is not PDF, or its data are not a `data:` URL.",
    source: "https://github.com/pydantic/pydantic-ai/issues/4445",
    find: ({ body }) =>
      firstProblem(partsWithin(body["messages"], "content"), ({ part, at }) => {
        const sent = objectOf(part["file"])["file_data"];
        if (part["type"] !== "file" || sent === undefined) return undefined;
        const file = dataUrl(sent);
        if (file?.type === "application/pdf" && file.base64 !== "") return undefined;
        const param = `messages${at}.file.file_data`;
        const got =
          file === undefined || file.base64 === ""
            ? "an invalid base64-encoded value"
            : `unsupported MIME type '${file.type}'`;
        return invalidRequest(
          `Invalid file data: '${param}'. Expected a base64-encoded data URL with an application/pdf MIME type (e.g. 'data:application/pdf;base64,SGVsbG8sIFdvcmxkIQ=='), but got ${got}.`,
          param,
          "invalid_value",
        );
      }),
  },
  {
    id: "chat.audio-format",
    wires,
    when: "Sound is in another format than `wav` and `mp3`.",
    source: "https://developers.openai.com/api/docs/guides/audio",
    find: ({ body }) =>
      firstProblem(partsWithin(body["messages"], "content"), ({ part, at }) => {
        const { format } = objectOf(part["input_audio"]);
        return part["type"] !== "input_audio" || format === "wav" || format === "mp3"
          ? undefined
          : invalidRequest(
              `Invalid value: '${textOf(format)}'. Supported values are: 'wav' and 'mp3'.`,
              `messages${at}.input_audio.format`,
              "invalid_value",
            );
      }),
  },
];
