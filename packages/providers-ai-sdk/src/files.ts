import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from "@ai-sdk/provider";
import { mediaSource } from "@bailiwick/core/provider";
import type { ContentPart, Warning } from "@bailiwick/core/provider";
import type { ModelContext } from "./model-context.ts";

/** Addresses that a model accepts, by media type: `supportedUrls` of the AI SDK. */
export type SupportedUrls = Readonly<Record<string, readonly RegExp[]>>;

type Media = Exclude<ContentPart, { type: "text" }>;

/**
 * Media in the form of the AI SDK. An address that the model does not fetch becomes a text that names it.
 *
 * @param part - An image, audio or file part.
 * @param context - The model.
 * @param urls - Addresses that the model accepts.
 * @param warnings - Gets an entry for each part that is left out.
 */
export function filePart(
  part: Media,
  { modelId }: ModelContext,
  urls: SupportedUrls,
  warnings: Warning[],
): LanguageModelV4FilePart | LanguageModelV4TextPart {
  const source = mediaSource(part);
  const filename = part.type === "file" && part.filename !== undefined ? { filename: part.filename } : {};
  if (source.kind === "data") {
    return { type: "file", mediaType: source.mimeType, data: { type: "data", data: source.base64 }, ...filename };
  }
  const mediaType = part.mimeType ?? `${part.type}/*`;
  if (URL.canParse(source.url) && takes(urls, mediaType, source.url)) {
    return { type: "file", mediaType, data: { type: "url", url: new URL(source.url) }, ...filename };
  }
  warnings.push({
    code: "media_omitted",
    message: `The ${part.type} at an address was replaced by a text that names it: ${modelId} does not fetch it. Pass its data instead.`,
    subject: part.type,
  });
  return { type: "text", text: `[${part.type} at ${source.url} omitted: this model does not fetch it]` };
}

/**
 * Media types that a model fetches from any https address.
 *
 * @param types - Types that the model accepts as data.
 * @param urls - Addresses that the model takes.
 */
export function fetchedTypes(types: readonly string[], urls: SupportedUrls): readonly string[] {
  return types.filter((type) => takes(urls, type, "https://example.com/file"));
}

function takes(urls: SupportedUrls, mediaType: string, url: string): boolean {
  const [kind] = mediaType.split("/");
  return Object.entries(urls).some(([type, patterns]) => {
    const matches =
      type === "*" ||
      type === "*/*" ||
      type === mediaType ||
      type === `${kind}/*` ||
      (mediaType === `${kind}/*` && type.startsWith(`${kind}/`));
    return matches && patterns.some((pattern) => new RegExp(pattern.source, pattern.flags.replace("g", "")).test(url));
  });
}
