/**
 * OpenAI Responses and Chat Completions, and servers that speak the same protocol, as Bailiwick model providers.
 *
 * @module main
 */
export { openai } from "./openai.ts";
export { openaiEmbedder, type OpenAIEmbedderOptions } from "./embedder.ts";
export { openaiOptions, type OpenAICallOptions, type OpenAIOptions } from "./options.ts";
export { compat } from "./compat.ts";
export type { Compat, CompatModel, CompatName } from "./server-record.ts";
export {
  codeInterpreter,
  customTool,
  fileSearch,
  imageGeneration,
  mcp,
  shell,
  webSearch,
  xSearch,
  type CustomToolSettings,
  type McpSettings,
  type XSearchSettings,
} from "./hosted-tools.ts";
