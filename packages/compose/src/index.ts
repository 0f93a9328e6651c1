/**
 * Compositions: pipelines, parallel branches, maps, routes, loops and attempts over agents.
 *
 * @module compose
 */
export { attempt, type AttemptNodes, type AttemptOptions } from "./composition/attempt.ts";
export type { Composition, CompositionOptions } from "./composition/compose.ts";
export { loop, type LoopOptions } from "./composition/loop.ts";
export { map, type MapOptions } from "./composition/map.ts";
export { parallel, type BranchAnswer, type Merge, type ParallelOptions } from "./composition/parallel.ts";
export { pipeline } from "./composition/pipeline.ts";
export { route, type RouteOptions } from "./composition/route.ts";
