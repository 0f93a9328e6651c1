/**
 * Conformance kits: the cases that every model provider, store, memory and sandbox has to pass.
 *
 * @module conformance
 */
export * from "./provider-conformance/index.ts";
export * from "./store-conformance/index.ts";
export * from "./memory-conformance/index.ts";
export * from "./sandbox-conformance/index.ts";
