/**
 * A lean `fetch` over undici's dispatcher, for Node: the same calls and answers as the global `fetch`, at a fraction of
 * its cost for the plain requests that model SDKs make.
 *
 * @module
 */
export { fetchNode } from "./fetch-node.ts";
export type { FetchNode } from "./fetch-node.ts";
export type { FetchNodeOptions } from "./fetch-node.ts";
export type { WithBodyChunks } from "./body-chunks.ts";
