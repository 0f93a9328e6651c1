import { isJsonObject, jsonObjects, jsonText, mediaSource } from "@bailiwick/core/provider";
import type { HostedToolPart, ImagePart, JsonValue, SourcePart } from "@bailiwick/core/provider";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads pictures that a model made, as OpenRouter returns them next to the text
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
 * Reads sources that are next to the choices: addresses of Perplexity and xAI, with titles if the search results have
 * them (https://docs.perplexity.ai/api-reference/chat-completions-post), and the pages that Z.ai searched
 * (https://docs.z.ai/guides/tools/web-search).
 *
 * @param answer - A body or a chunk.
 */
export function readCitations(answer: Fields): readonly SourcePart[] {
  const results = jsonObjects(answer["search_results"]);
  const titles = new Map(results.map((result) => [jsonText(result["url"]), jsonText(result["title"])]));
  for (const { link, title } of jsonObjects(answer["web_search"])) titles.set(jsonText(link), jsonText(title));
  const cited: readonly unknown[] = Array.isArray(answer["citations"]) ? answer["citations"] : [...titles.keys()];
  return cited
    .map((entry) => (isJsonObject(entry) ? jsonText(entry["url"]) : jsonText(entry)))
    .filter((url) => url !== "")
    .map((url) => {
      const title = titles.get(url) ?? "";
      return { type: "source", url, ...(title === "" ? {} : { title }) };
    });
}

/**
 * Reads citations of Mistral inside the content (https://docs.mistral.ai/capabilities/citations): the names that the
 * request gave its documents.
 *
 * @param content - The content of a message or a delta.
 */
export function readReferences(content: unknown): readonly SourcePart[] {
  return jsonObjects(content)
    .flatMap(({ reference_ids: ids }) => (Array.isArray(ids) ? (ids as unknown[]) : []))
    .map((id) => ({ type: "source", documentId: String(id) }));
}

/**
 * Reads calls that Groq's compound systems ran (https://console.groq.com/docs/compound). A stream sends a call when it
 * begins, and once more with its result.
 *
 * @param executed - The `executed_tools` of a message or a delta.
 * @param before - The calls that were read before.
 */
export function readExecutedTools(
  executed: unknown,
  before: readonly HostedToolPart[] = [],
): readonly HostedToolPart[] {
  const calls = [...before];
  for (const { index = calls.length, type, arguments: input = null, ...result } of jsonObjects(executed)) {
    const toolCallId = `executed_${index as number}`;
    const at = calls.findIndex((call) => call.toolCallId === toolCallId);
    calls[at < 0 ? calls.length : at] = {
      type: "hosted_tool",
      toolCallId,
      toolName: jsonText(type),
      input: input as JsonValue,
      output: result as JsonValue,
    };
  }
  return calls;
}
