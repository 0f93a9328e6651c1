import { mediaDataUrl, mediaSource } from "@bailiwick/core/provider";
import type { ContentPart, ToolMessage } from "@bailiwick/core/provider";
import { asError } from "../error-text.ts";

/** Content of a user message or a tool output. */
export type InputContent =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly image_url: string; readonly detail: "auto" }
  | { readonly type: "input_file"; readonly file_url: string }
  | { readonly type: "input_file"; readonly file_data: string; readonly filename: string };

/** Parts in the form of the Responses wire. */
export function inputContent(parts: readonly ContentPart[]): InputContent[] {
  return parts.map(contentOf);
}

function contentOf(part: ContentPart): InputContent {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text };
    case "image":
      return { type: "input_image", image_url: mediaDataUrl(part), detail: "auto" };
    case "file": {
      if (part.mimeType.startsWith("image/"))
        return { type: "input_image", image_url: mediaDataUrl(part), detail: "auto" };
      const source = mediaSource(part);
      if (source.kind === "url") return { type: "input_file", file_url: source.url };
      // A file without a name is refused.
      const filename = part.filename || `file.${source.mimeType.split("/")[1] ?? "bin"}`;
      return { type: "input_file", file_data: mediaDataUrl(part), filename };
    }
    case "audio":
      return { type: "input_text", text: `[audio (${part.mimeType}) omitted: the Responses API takes none]` };
  }
}

/**
 * A tool's output: text, or a list if it contains media. An error is marked in the text, because the API has no field
 * for it.
 */
export function toolOutput({ content, isError }: ToolMessage): string | InputContent[] {
  if (typeof content === "string") return isError === true ? asError(content) : content;
  if (content.every((part) => part.type === "text")) {
    const text = content.map((part) => part.text).join("\n");
    return isError === true ? asError(text) : text;
  }
  const parts = inputContent(content);
  return isError === true ? [{ type: "input_text", text: "Error:" }, ...parts] : parts;
}
