/**
 * OpenAI Responses and Chat Completions, and servers that speak the same protocol, as Bailiwick model providers.
 *
 * @module
 */
export {};
