/**
 * Compositions: pipelines, parallel branches, maps, routes, loops and attempts over agents.
 *
 * @module
 */
export * from "@bailiwick/compose";
