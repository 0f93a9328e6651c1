/**
 * The facade: Agent, tool, and defaults that are safe.
 *
 * @module
 */
export { Agent } from "./agent.ts";
export * from "@bailiwick/core";
export { env, file, keyring, piiGuard, secrets } from "@bailiwick/security";
export type { PiiAction, PiiGuard, PiiGuardOptions, PiiKind } from "@bailiwick/security";
