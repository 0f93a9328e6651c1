/**
 * Compositions: pipelines, parallel branches, maps, routes, loops and attempts over agents.
 *
 * @module compose
 */
export { attempt } from "./composition/attempt.ts";
export type { AttemptNodes, AttemptOptions } from "./composition/attempt.ts";
export type { Composition, CompositionOptions } from "./composition/compose.ts";
export { loop } from "./composition/loop.ts";
export type { LoopOptions } from "./composition/loop.ts";
export { map } from "./composition/map.ts";
export type { MapOptions } from "./composition/map.ts";
export { parallel } from "./composition/parallel.ts";
export type { BranchAnswer, Merge, ParallelOptions } from "./composition/parallel.ts";
export { pipeline } from "./composition/pipeline.ts";
export { route } from "./composition/route.ts";
export type { RouteOptions } from "./composition/route.ts";
