/**
 * Anthropic Messages as a Bailiwick model provider.
 *
 * @module
 */
export { anthropic } from "./anthropic.ts";
export { anthropicOptions, type AnthropicCallOptions, type AnthropicOptions } from "./options.ts";
export { cacheHere, type CacheTtl } from "./cache-breakpoints.ts";
export { storedFile } from "./files.ts";
export {
  bash,
  codeExecution,
  mcp,
  memory,
  textEditor,
  toolSearch,
  webFetch,
  webSearch,
  type McpSettings,
  type ToolSearchSettings,
} from "./hosted-tools.ts";
