/**
 * The facade: Agent, tool, and defaults that are safe.
 *
 * @module
 */
export { Agent } from "./agent.ts";
export * from "@bailiwick/core";
export { env, file, keyring, secrets } from "@bailiwick/security";
