/**
 * Workflows of agents, tools and functions: pipelines, parallel branches, maps, routes, loops and attempts, with the
 * safe defaults of `Agent`.
 *
 * @module compose
 */
import { workflows, type Workflows } from "@bailiwick/compose";
import { platformPorts } from "#platform";
import { securityPorts } from "./security-ports.ts";

export type * from "@bailiwick/compose";

const made: Workflows = workflows({ ports: securityPorts, platform: platformPorts });

/**
 * Runs nodes one after the other: each gets the value of the one before it, and the value of the last one is the answer.
 *
 * @throws ConfigurationError `EMPTY_COMPOSITION` without a node, `UNKNOWN_OPTION` for an option of another name,
 *   `INVALID_OPTION` for a value that is not a node.
 * @example
 * ```ts
 * import type { Agent } from "@bailiwick/agent";
 * import { pipeline, type Composition } from "@bailiwick/agent/compose";
 *
 * export function headline(writer: Agent): Composition {
 *   return pipeline({ name: "headline" }, (text) => text.trim(), writer);
 * }
 * ```
 */
export const pipeline: Workflows["pipeline"] = made.pipeline;

/**
 * Runs all branches at once, on the same value, and merges their values.
 *
 * @throws ConfigurationError `EMPTY_COMPOSITION` without a branch, `UNKNOWN_OPTION` for an option of another name,
 *   `INVALID_OPTION` for a value that is not a node.
 * @example
 * ```ts
 * import type { Agent } from "@bailiwick/agent";
 * import { parallel, type Composition } from "@bailiwick/agent/compose";
 *
 * export function review(law: Agent, style: Agent): Composition {
 *   return parallel({ merge: (notes) => `${notes.law}\n\n${notes.style}` }, { law, style });
 * }
 * ```
 */
export const parallel: Workflows["parallel"] = made.parallel;

/**
 * Runs one node for each item, 8 at a time.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION` for an option of another name, `INVALID_OPTION` for a value that is not a
 *   node.
 * @example
 * ```ts
 * import type { Agent } from "@bailiwick/agent";
 * import { map, type Composition } from "@bailiwick/agent/compose";
 *
 * export function summarizeLines(summarizer: Agent): Composition {
 *   return map({ items: (text) => text.split("\n") }, summarizer);
 * }
 * ```
 */
export const map: Workflows["map"] = made.map;

/**
 * Runs the one of several branches that the chooser names.
 *
 * @throws ConfigurationError `INVALID_OPTION` when `otherwise` is not a branch or a branch is not a node,
 *   `UNKNOWN_OPTION` for an option of another name.
 * @example
 * ```ts
 * import type { Agent } from "@bailiwick/agent";
 * import { route, type Composition } from "@bailiwick/agent/compose";
 *
 * export function desk(refunds: Agent, questions: Agent): Composition {
 *   return route({ choose: (text) => (/refund/i.test(text) ? "refunds" : "questions") }, { refunds, questions });
 * }
 * ```
 */
export const route: Workflows["route"] = made.route;

/**
 * Runs a node again and again, each time with its last value, until a condition holds.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION` for an option of another name, `INVALID_OPTION` for a value that is not a
 *   node, or an invalid `maxRounds`.
 * @example
 * ```ts
 * import type { Agent } from "@bailiwick/agent";
 * import { loop, type Composition } from "@bailiwick/agent/compose";
 *
 * export function polish(editor: Agent): Composition {
 *   return loop({ until: (text) => String(text).length < 280, maxRounds: 3 }, editor);
 * }
 * ```
 */
export const loop: Workflows["loop"] = made.loop;

/**
 * Tries a node, and runs another one if it fails or stops early.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION` for a node or an option of another name, `INVALID_OPTION` for a value that is
 *   not a node.
 * @example
 * ```ts
 * import type { Agent } from "@bailiwick/agent";
 * import { attempt, type Composition } from "@bailiwick/agent/compose";
 *
 * export function careful(risky: Agent): Composition {
 *   return attempt({}, { try: risky, catch: ({ error }) => `It failed: ${error}` });
 * }
 * ```
 */
export const attempt: Workflows["attempt"] = made.attempt;
