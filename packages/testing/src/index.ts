/**
 * Scripted models, fault injection, cassettes and conformance kits for Bailiwick.
 *
 * @module
 */
export * from "./script/index.ts";
export * from "./model-server/index.ts";
export * from "./provider-conformance/index.ts";
export * from "./scripted-model/index.ts";
export * from "./faulty-store/index.ts";
export * from "./streams/index.ts";
export * from "./cassette/index.ts";
export * from "./store-conformance/index.ts";
export * from "./memory-conformance/index.ts";
export * from "./hijacked-model/index.ts";
