/**
 * The contracts, registry, runner and in-memory stores that every other Bailiwick package builds on.
 *
 * @module
 */
export {};
