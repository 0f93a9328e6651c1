/**
 * A web page for the runs of any agent and any store: search them, look into them, decide what waits for a person, and see
 * how data flowed.
 *
 * @module
 */
export type {
  StudioAction,
  StudioAgent,
  StudioAuthorize,
  StudioOptions,
  StudioStore,
  StudioViewer,
} from "./http/options.ts";
export { studio, type Studio } from "./http/studio.ts";
export type * from "./views/view-types.ts";
