/**
 * Scripted models, fault injection, cassettes and recorded runs. Conformance kits are in `@bailiwick/testing/conformance`, the strict
 * model server is in `@bailiwick/testing/model-server`.
 *
 * @module main
 */
export * from "./script/index.ts";
export * from "./scripted-model/index.ts";
export * from "./faulty-store/index.ts";
export * from "./streams/index.ts";
export * from "./cassette/index.ts";
export * from "./hijacked-model/index.ts";
export * from "./planner-answer/index.ts";
export * from "./recorded-run/index.ts";
