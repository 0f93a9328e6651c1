export * from "./bailiwick-error.ts";
export * from "./configuration-errors.ts";
export * from "./endorsement-error.ts";
export * from "./model-errors.ts";
export * from "./run-errors.ts";
export * from "./session-errors.ts";
export * from "./store-errors.ts";
export * from "./tool-error.ts";
