import { isJsonObject, jsonObjects, jsonText } from "@bailiwick/core/provider";
import type { HostedToolPart, JsonValue, SourcePart } from "@bailiwick/core/provider";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The sources in the metadata of an answer, each once: chunks of grounding, quoted works, and pages that were read.
 *
 * @param metadata - Metadata of the candidates that have some, in order.
 */
export function readSources(metadata: readonly Fields[]): readonly SourcePart[] {
  const sources = new Map<string, SourcePart>();
  for (const source of metadata.flatMap(candidateSources)) {
    const key = JSON.stringify([source.url, source.documentId, source.url === undefined ? source.title : ""]);
    const known = sources.get(key);
    sources.set(key, known === undefined ? source : withPassages(known, source));
  }
  return [...sources.values()];
}

/**
 * The search behind an answer, if the vendor reports it only here: the queries, and the entry point that its terms
 * require to be shown. It is not part of the conversation, and is not sent back.
 *
 * @param metadata - Metadata of the candidates that have some, in order.
 */
export function readSearch(metadata: readonly Fields[]): HostedToolPart | undefined {
  const grounding = metadata.map((candidate) => fieldsOf(candidate["groundingMetadata"]));
  const asked = grounding.flatMap(({ webSearchQueries: queries }) =>
    Array.isArray(queries) ? (queries as unknown[]) : [],
  );
  const queries = [...new Set(asked.filter((query) => typeof query === "string"))];
  if (queries.length === 0) return undefined;
  const entry = grounding.findLast(({ searchEntryPoint }) => isJsonObject(searchEntryPoint))?.["searchEntryPoint"];
  return {
    type: "hosted_tool",
    toolCallId: "google_search",
    toolName: "google_search",
    input: { queries },
    ...(entry === undefined ? {} : { output: { searchEntryPoint: entry as JsonValue } }),
  };
}

/**
 * Pages that the vendor could not read.
 *
 * @param metadata - Metadata of the candidates that have some, in order.
 */
export function unreadPages(metadata: readonly Fields[]): readonly { readonly url: string; readonly status: string }[] {
  return metadata
    .flatMap(({ urlContextMetadata: read }) => jsonObjects(fieldsOf(read)["urlMetadata"]))
    .map((page) => ({ url: jsonText(page["retrievedUrl"]), status: jsonText(page["urlRetrievalStatus"]) }))
    .filter(({ status }) => status !== "" && status !== "URL_RETRIEVAL_STATUS_SUCCESS");
}

function candidateSources(candidate: Fields): readonly SourcePart[] {
  const grounding = fieldsOf(candidate["groundingMetadata"]);
  const citation = fieldsOf(candidate["citationMetadata"]);
  const pages = jsonObjects(fieldsOf(candidate["urlContextMetadata"])["urlMetadata"]);
  return [
    ...jsonObjects(grounding["groundingChunks"]).map(chunkSource),
    ...jsonObjects(citation["citations"] ?? citation["citationSources"]).map((cited) =>
      source({ url: cited["uri"], title: cited["title"] }),
    ),
    ...pages
      .filter((page) => page["urlRetrievalStatus"] === "URL_RETRIEVAL_STATUS_SUCCESS")
      .map((page) => source({ url: page["retrievedUrl"] })),
  ].filter((found) => found !== undefined);
}

function chunkSource(chunk: Fields): SourcePart | undefined {
  const web = fieldsOf(chunk["web"]);
  const document = fieldsOf(chunk["retrievedContext"]);
  const place = fieldsOf(chunk["maps"]);
  const image = fieldsOf(chunk["image"]);
  const title = web["title"] ?? document["title"] ?? place["title"] ?? image["title"];
  const found = source({
    url: web["uri"] ?? document["uri"] ?? place["uri"] ?? image["sourceUri"],
    title,
    documentId: document["documentName"] ?? document["fileSearchStore"] ?? place["placeId"],
  });
  if (found === undefined || chunk["retrievedContext"] === undefined) return found;
  return { ...found, providerState: { passages: [document as JsonValue] } };
}

/** A source that another chunk names again, with the passages of both. */
function withPassages(known: SourcePart, again: SourcePart): SourcePart {
  const passages = new Map([...passagesOf(known), ...passagesOf(again)].map((one) => [JSON.stringify(one), one]));
  return passages.size === 0 ? known : { ...known, providerState: { passages: [...passages.values()] } };
}

/** The passages of a document on which an answer rests, with their metadata, as the vendor sent them. */
function passagesOf({ providerState }: SourcePart): readonly JsonValue[] {
  return jsonObjects(fieldsOf(providerState)["passages"]) as readonly JsonValue[];
}

function source(given: { url?: unknown; title?: unknown; documentId?: unknown }): SourcePart | undefined {
  const [url, title, documentId] = [jsonText(given.url), jsonText(given.title), jsonText(given.documentId)];
  if (url === "" && title === "" && documentId === "") return undefined;
  return {
    type: "source",
    ...(url === "" ? {} : { url }),
    ...(title === "" ? {} : { title }),
    ...(documentId === "" ? {} : { documentId }),
  };
}

function fieldsOf(value: unknown): Fields {
  return isJsonObject(value) ? value : {};
}
