/**
 * OpenAI Responses and Chat Completions, and servers that speak the same protocol, as Bailiwick model providers.
 *
 * @module
 */
export { openai } from "./openai.ts";
export { openaiEmbedder, type OpenAIEmbedderOptions } from "./embedder.ts";
export { openaiOptions, type OpenAICallOptions, type OpenAIOptions } from "./options.ts";
export { compat, type Compat, type CompatModel, type CompatName } from "./compat.ts";
export {
  codeInterpreter,
  customTool,
  fileSearch,
  imageGeneration,
  mcp,
  shell,
  webSearch,
  type CustomToolSettings,
  type McpSettings,
} from "./hosted-tools.ts";
