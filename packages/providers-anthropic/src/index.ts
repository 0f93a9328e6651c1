/**
 * Anthropic Messages as a Bailiwick model provider.
 *
 * @module
 */
export {};
