import type { LanguageModelV3File, LanguageModelV4File, LanguageModelV4ReasoningFile } from "@ai-sdk/provider";
import { toBase64 } from "@bailiwick/core/provider";
import type { AssistantPart } from "@bailiwick/core/provider";

/** A file of an answer. */
export type AnswerFile = Extract<AssistantPart, { type: "image" | "audio" | "file" }>;

/**
 * A file that the model made, as a part of its answer.
 *
 * @param part - In the form of version 4 or 3.
 */
export function readFile(part: LanguageModelV4File | LanguageModelV4ReasoningFile | LanguageModelV3File): AnswerFile {
  const { mediaType, data } = part;
  const content =
    typeof data === "string"
      ? { data }
      : data instanceof Uint8Array
        ? { data: toBase64(data) }
        : data.type === "url"
          ? { url: String(data.url) }
          : { data: typeof data.data === "string" ? data.data : toBase64(data.data) };
  const [kind] = mediaType.split("/");
  const type = kind === "image" || kind === "audio" ? kind : "file";
  return { type, ...content, mimeType: mediaType } as AnswerFile;
}
