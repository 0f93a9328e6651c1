/**
 * Ollama over its own API, which accepts the context window, and refuses a request that does not fit it.
 *
 * @module ollama
 */
export { ollama } from "./ollama.ts";
export type { OllamaCallOptions, OllamaOptions } from "./options.ts";
