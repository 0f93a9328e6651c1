/**
 * Code mode: a model writes a program that calls tools, and each call passes the same checks as any other call.
 *
 * @module code-mode
 */
export { codeMode } from "./composition/code-mode/code-mode.ts";
export type { CodeModeOptions, CodeModeOutput } from "./composition/code-mode/code-mode.ts";
export type { CodeLimits } from "./composition/code-mode/written-program.ts";
