import { ToolError, toolReturn } from "@bailiwick/core";
import type { AudioMimeType, ContentPart, ImageMimeType, ResultLabel, ToolReturn } from "@bailiwick/core";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";

const images: ReadonlySet<string> = new Set<ImageMimeType>(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const audio: Readonly<Record<string, AudioMimeType>> = {
  "audio/mp3": "audio/mp3",
  "audio/mpeg": "audio/mp3",
  "audio/wav": "audio/wav",
  "audio/x-wav": "audio/wav",
  "audio/ogg": "audio/ogg",
  "audio/webm": "audio/webm",
};

/**
 * A call's result, for the pipeline: structured content is the output and is checked by the tool's schema, text is
 * the output if there is none, and media travel as parts, never as text.
 *
 * @param label - What the server says about the trust in the result.
 * @throws ToolError for a result that is marked as an error.
 */
export function resultOf(result: CallToolResult, label: ResultLabel | undefined): ToolReturn {
  const blocks = result.content.filter((block) => !isForUserOnly(block));
  const parts = blocks.map(partOf);
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).filter((one) => one !== "");
  if (result.isError === true)
    throw new ToolError(text.join("\n") || "The server reported a failure without a reason.");
  const contentParts = parts.filter((part) => part.type !== "text");
  const shown = result.content.filter(isForUserOnly);
  return toolReturn({
    // With structured content, the text repeats that content.
    output:
      result.structuredContent ??
      (text.length > 0 ? text.join("\n") : contentParts.length > 0 ? describe(contentParts) : ""),
    ...(contentParts.length > 0 && { contentParts }),
    ...(shown.length > 0 && { details: { forUser: shown } }),
    ...(label !== undefined && { label }),
  });
}

/** A server may send content for the user only: events and user interfaces get it, the model does not. */
function isForUserOnly(block: ContentBlock): boolean {
  const audience = block.annotations?.audience;
  return audience !== undefined && audience.length > 0 && !audience.includes("assistant");
}

function describe(parts: readonly ContentPart[]): string {
  return parts.map(({ type }) => `[${type}]`).join(" ");
}

/** One block of content as a part. The target of a link is not fetched. */
export function partOf(block: ContentBlock): ContentPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "audio":
      return media(block.data, block.mimeType);
    case "resource_link": {
      const { uri, name, description } = block;
      return { type: "text", text: `Resource "${name}": ${uri}${description === undefined ? "" : `\n${description}`}` };
    }
    case "resource":
      return resourcePart(block.resource);
  }
}

/** The contents of a resource as a part. */
export function resourcePart(
  resource: { readonly uri: string; readonly mimeType?: string | undefined } & (
    | { readonly text: string }
    | { readonly blob: string }
  ),
): ContentPart {
  if ("text" in resource) return { type: "text", text: `${resource.uri}\n${resource.text}` };
  return media(resource.blob, resource.mimeType ?? "application/octet-stream");
}

function media(data: string, given: string): ContentPart {
  const mimeType = (given.split(";")[0] ?? "").trim().toLowerCase();
  if (images.has(mimeType)) return { type: "image", data, mimeType: mimeType as ImageMimeType };
  const sound = audio[mimeType];
  if (sound !== undefined) return { type: "audio", data, mimeType: sound };
  return { type: "file", data, mimeType: mimeType === "" ? "application/octet-stream" : mimeType };
}
