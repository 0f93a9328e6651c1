/**
 * Code mode: a model writes a program that calls tools, and each call passes the same checks as any other call.
 *
 * @module code-mode
 */
export { codeMode, type CodeModeOptions, type CodeModeOutput } from "./code-mode/code-mode.ts";
export type { CodeLimits } from "./code-mode/written-program.ts";
