/**
 * The facade: Agent, tool, and defaults that are safe.
 *
 * @module
 */
export {};
