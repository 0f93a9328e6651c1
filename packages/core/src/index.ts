/**
 * Contracts, registry, runner, replay compiler and in-memory stores of Bailiwick. Runs in Node, Bun, Deno, edge
 * workers and browsers.
 *
 * @module
 */
export * from "./contracts/index.ts";
export * from "./errors/index.ts";
export * from "./history/index.ts";
export * from "./journal/index.ts";
export { lazyPart } from "./loading/lazy-part.ts";
export type { LazyPart } from "./loading/lazy-part.ts";
export * from "./providers/index.ts";
export * from "./composition/index.ts";
export * from "./context/index.ts";
export * from "./events/index.ts";
export * from "./memories/index.ts";
export * from "./runner/index.ts";
export * from "./registry/index.ts";
export * from "./tools/index.ts";
