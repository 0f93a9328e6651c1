/**
 * Google Gemini as a Bailiwick model provider.
 *
 * @module
 */
export {};
