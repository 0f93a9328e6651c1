/**
 * The configuration module of the `bailiwick` command.
 *
 * @module
 */
export { defineConfig } from "./entry/config.ts";
export type { BailiwickConfig, ConfiguredAgent } from "./entry/config.ts";
