import { mediaSource } from "@bailiwick/core/provider";
import type { ContentPart, FilePart, ImagePart, ToolMessage } from "@bailiwick/core/provider";
import { ownMark, type Block } from "../cache-breakpoints.ts";
import { storedFileId } from "../files.ts";

/** Content of a user message. Empty text is left out: the vendor refuses it. */
export function userBlocks(content: string | readonly ContentPart[]): Block[] {
  if (typeof content === "string") return textBlocks(content);
  return content.flatMap((part) => contentBlocks(part).map((block) => ({ ...block, ...ownMark(part) })));
}

/** A text as a block, unless it is empty. */
export function textBlocks(text: string): Block[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

function contentBlocks(part: ContentPart): Block[] {
  switch (part.type) {
    case "text":
      return textBlocks(part.text);
    case "image":
      return [imageBlock(part)];
    case "file":
      return [fileBlock(part)];
    case "audio":
      return textBlocks(`[audio (${part.mimeType}) omitted: the Messages API takes none]`);
  }
}

function imageBlock(part: ImagePart | FilePart): Block {
  const source = mediaSource(part);
  if (source.kind === "data") {
    return { type: "image", source: { type: "base64", media_type: source.mimeType, data: source.base64 } };
  }
  return { type: "image", source: storedSource(source.url) ?? { type: "url", url: source.url } };
}

/** Documents are PDF or plain text; any other media can only be named. */
function fileBlock(part: FilePart): Block {
  if (part.mimeType.startsWith("image/")) return imageBlock(part);
  const source = mediaSource(part);
  const title = part.filename === undefined ? {} : { title: part.filename };
  if (source.kind === "url") {
    return { type: "document", source: storedSource(source.url) ?? { type: "url", url: source.url }, ...title };
  }
  if (source.mimeType === "application/pdf") {
    return { type: "document", source: { type: "base64", media_type: source.mimeType, data: source.base64 }, ...title };
  }
  if (/^text\/|[/+](json|xml|yaml|javascript)$/.test(source.mimeType)) {
    return {
      type: "document",
      source: { type: "text", media_type: "text/plain", data: decodeText(source.base64) },
      ...title,
    };
  }
  const name = part.filename === undefined ? "" : ` "${part.filename}"`;
  return { type: "text", text: `[file (${part.mimeType})${name} omitted: the Messages API takes PDF and text]` };
}

function storedSource(url: string): Block | undefined {
  const id = storedFileId(url);
  return id === undefined ? undefined : { type: "file", file_id: id };
}

function decodeText(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0));
}

/** A tool's result, and the content that must follow all results. */
export interface ToolResultBlocks {
  readonly result: Block;
  readonly after: readonly Block[];
}

/** A tool's result. The result of a failed call is text only: its media follow the results. */
export function toolResult(message: ToolMessage): ToolResultBlocks {
  const { content, isError, toolCallId, toolName } = message;
  const mark =
    typeof content === "string" ? {} : ownMark(content.findLast((part) => ownMark(part).cache_control !== undefined));
  const head = { type: "tool_result", tool_use_id: toolCallId };
  const blocks = typeof content === "string" ? textBlocks(content) : content.flatMap(contentBlocks);
  if (isError !== true) {
    return { result: { ...head, ...resultContent(content, blocks), ...mark }, after: [] };
  }
  const texts = blocks.filter(({ type }) => type === "text");
  const media = blocks.filter(({ type }) => type !== "text");
  const said = texts.length === 0 ? [{ type: "text", text: "The call failed without a message." }] : texts;
  const heading = { type: "text", text: `Media of the failed result of ${toolName}:` };
  return {
    result: { ...head, ...resultContent(texts.length === 0 ? [] : content, said), is_error: true, ...mark },
    after: media.length === 0 ? [] : [heading, ...media],
  };
}

function resultContent(
  content: string | readonly ContentPart[],
  blocks: readonly Block[],
): { readonly content?: unknown } {
  if (blocks.length === 0) return {};
  return { content: typeof content === "string" ? content : blocks };
}
