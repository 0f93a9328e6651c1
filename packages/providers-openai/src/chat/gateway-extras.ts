import { isJsonObject, jsonObjects, jsonText, mediaSource } from "@bailiwick/core/provider";
import type { HostedToolPart, ImagePart, JsonValue, SourcePart } from "@bailiwick/core/provider";

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
 * have them (https://docs.perplexity.ai/api-reference/chat-completions-post), and the pages that Z.ai searched
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
 * Reads calls that Groq's compound systems ran (https://console.groq.com/docs/compound).
 *
 * @param executed - The `executed_tools` of a message.
 */
export function readExecutedTools(executed: unknown): readonly HostedToolPart[] {
  return jsonObjects(executed).map((call, index): HostedToolPart => {
    const { type, arguments: input, output, search_results: found } = call;
    return {
      type: "hosted_tool",
      toolCallId: `executed_${index}`,
      toolName: jsonText(type),
      input: (input ?? null) as JsonValue,
      output: (found ?? output ?? null) as JsonValue,
    };
  });
}
