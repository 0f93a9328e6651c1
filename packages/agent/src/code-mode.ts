/**
 * Code mode: a model writes a program that calls tools, and each call is governed like any other.
 *
 * @module
 */
export * from "@bailiwick/core/code-mode";
