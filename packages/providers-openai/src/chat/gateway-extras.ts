import { isJsonObject, jsonObjects, jsonText, mediaSource } from "@bailiwick/core/provider";
import type { ImagePart, SourcePart } from "@bailiwick/core/provider";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads pictures that a model made, as OpenRouter gives them beside the text
 * (https://openrouter.ai/docs/features/multimodal/image-generation).
 *
 * @param images - The `images` of a message or a delta.
 */
export function readImages(images: unknown): readonly ImagePart[] {
  return jsonObjects(images).flatMap((image): ImagePart[] => {
    const url = isJsonObject(image["image_url"]) ? jsonText(image["image_url"]["url"]) : "";
    if (url === "") return [];
    const source = mediaSource({ type: "image", url });
    if (source.kind === "url") return [{ type: "image", url }];
    return [{ type: "image", data: source.base64, mimeType: source.mimeType as ImagePart["mimeType"] }];
  });
}

/**
 * Reads sources that are beside the choices: addresses of Perplexity and xAI, with titles where the search results
 * have them (https://docs.perplexity.ai/api-reference/chat-completions-post).
 *
 * @param answer - A body or a chunk.
 */
export function readCitations(answer: Fields): readonly SourcePart[] {
  const results = jsonObjects(answer["search_results"]);
  const titles = new Map(results.map((result) => [jsonText(result["url"]), jsonText(result["title"])]));
  const cited: readonly unknown[] = Array.isArray(answer["citations"]) ? answer["citations"] : [...titles.keys()];
  return cited
    .map((entry) => (isJsonObject(entry) ? jsonText(entry["url"]) : jsonText(entry)))
    .filter((url) => url !== "")
    .map((url) => {
      const title = titles.get(url) ?? "";
      return { type: "source", url, ...(title === "" ? {} : { title }) };
    });
}
