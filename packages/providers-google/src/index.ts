/**
 * Google Gemini, over the Gemini API or Vertex AI, as a Bailiwick model provider.
 *
 * @module
 */
export { google } from "./google.ts";
export { googleEmbedder, type GoogleEmbedderOptions } from "./embedder.ts";
export { googleOptions, type GoogleCallOptions, type GoogleOptions } from "./options.ts";
export {
  codeExecution,
  enterpriseWebSearch,
  fileSearch,
  googleMaps,
  googleSearch,
  mcp,
  retrieval,
  urlContext,
} from "./hosted-tools.ts";
