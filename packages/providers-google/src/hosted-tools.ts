import { checkArgument } from "@bailiwick/core/provider";
import type { HostedTool, JsonValue, SideEffectClass } from "@bailiwick/core/provider";
import type { McpServer, Tool } from "@google/genai";

type SettingsOf<Key extends keyof Tool> = NonNullable<Tool[Key]>;

function hosted(key: keyof Tool, name: string, settings: unknown, sideEffectClass: SideEffectClass): HostedTool {
  return { type: "hosted", provider: "google", name, args: { [key]: settings as JsonValue }, sideEffectClass };
}

/**
 * Google Search; the answer cites its results. Reads only.
 *
 * @param settings - The vendor's settings: `timeRangeFilter`, `excludeDomains`, ….
 * @example
 * ```ts
 * import { googleSearch } from "@bailiwick/providers-google";
 *
 * export const search = googleSearch({ excludeDomains: ["example.com"] });
 * ```
 */
export function googleSearch(settings: SettingsOf<"googleSearch"> = {}): HostedTool {
  checkArgument(settings, "object", "googleSearch(settings)");
  return hosted("googleSearch", "google_search", settings, "read-only");
}

/**
 * Reads the pages whose addresses are in the conversation. Reads only, but every author of an address in the
 * conversation can choose the page.
 *
 * @param settings - The vendor's settings; there are none yet.
 * @example
 * ```ts
 * import { urlContext } from "@bailiwick/providers-google";
 *
 * export const pages = urlContext();
 * ```
 */
export function urlContext(settings: SettingsOf<"urlContext"> = {}): HostedTool {
  checkArgument(settings, "object", "urlContext(settings)");
  return hosted("urlContext", "url_context", settings, "read-only");
}

/**
 * Runs Python in Google's sandbox, which has no network. The code can change nothing outside that
 * sandbox.
 *
 * @param settings - The vendor's settings; there are none yet.
 * @example
 * ```ts
 * import { codeExecution } from "@bailiwick/providers-google";
 *
 * export const python = codeExecution();
 * ```
 */
export function codeExecution(settings: SettingsOf<"codeExecution"> = {}): HostedTool {
  checkArgument(settings, "object", "codeExecution(settings)");
  return hosted("codeExecution", "code_execution", settings, "side-effecting");
}

/**
 * Google Maps. Reads only.
 *
 * @param settings - The vendor's settings. The user's location goes into `googleOptions({ retrievalConfig })`.
 * @example
 * ```ts
 * import { googleMaps } from "@bailiwick/providers-google";
 *
 * export const places = googleMaps();
 * ```
 */
export function googleMaps(settings: SettingsOf<"googleMaps"> = {}): HostedTool {
  checkArgument(settings, "object", "googleMaps(settings)");
  return hosted("googleMaps", "google_maps", settings, "read-only");
}

/**
 * Search in file search stores of the Gemini API. Reads only.
 *
 * @param settings - `fileSearchStoreNames`, and the vendor's filter.
 * @example
 * ```ts
 * import { fileSearch } from "@bailiwick/providers-google";
 *
 * export const manuals = fileSearch({ fileSearchStoreNames: ["fileSearchStores/manuals"], topK: 5 });
 * ```
 */
export function fileSearch(settings: SettingsOf<"fileSearch">): HostedTool {
  checkArgument(settings, "object", "fileSearch(settings)");
  return hosted("fileSearch", "file_search", settings, "read-only");
}

/**
 * Web search for enterprises, on Vertex AI. Reads only.
 *
 * @param settings - The vendor's settings: `excludeDomains`, ….
 * @example
 * ```ts
 * import { enterpriseWebSearch } from "@bailiwick/providers-google";
 *
 * export const search = enterpriseWebSearch();
 * ```
 */
export function enterpriseWebSearch(settings: SettingsOf<"enterpriseWebSearch"> = {}): HostedTool {
  checkArgument(settings, "object", "enterpriseWebSearch(settings)");
  return hosted("enterpriseWebSearch", "enterprise_web_search", settings, "read-only");
}

/**
 * Retrieval from a data store or a RAG corpus, on Vertex AI. Reads only; an external API behind it is called by Google.
 *
 * @param settings - `vertexAiSearch`, `vertexRagStore` or `externalApi`.
 * @example
 * ```ts
 * import { retrieval } from "@bailiwick/providers-google";
 *
 * export const handbook = retrieval({
 *   vertexAiSearch: { datastore: "projects/p/locations/global/collections/default_collection/dataStores/handbook" },
 * });
 * ```
 */
export function retrieval(settings: SettingsOf<"retrieval">): HostedTool {
  checkArgument(settings, "object", "retrieval(settings)");
  return hosted("retrieval", "retrieval", settings, "read-only");
}

/**
 * A remote MCP server that Google calls. It can change anything, and the vendor asks for no approval: only pass servers
 * that may be called without one.
 *
 * @param server - `name`, and `streamableHttpTransport` with the URL and headers.
 * @example
 * ```ts
 * import { mcp } from "@bailiwick/providers-google";
 *
 * export const crm = mcp({ name: "crm", streamableHttpTransport: { url: "https://mcp.example.com" } });
 * ```
 */
export function mcp(server: McpServer): HostedTool {
  checkArgument(server, "object", "mcp(server)");
  return hosted("mcpServers", `mcp:${server.name ?? "server"}`, [server], "external-stateful");
}
