/**
 * Conformance kits: the cases that every model provider, store and memory has to pass.
 *
 * @module conformance
 */
export * from "./provider-conformance/index.ts";
export * from "./store-conformance/index.ts";
export * from "./memory-conformance/index.ts";
