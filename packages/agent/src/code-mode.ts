/**
 * Code mode: a model writes a program that calls tools, and each call passes the same checks as any other call.
 *
 * @module
 */
export * from "@bailiwick/compose/code-mode";
