/**
 * A web page for the runs of any agent and any store: search and inspect them, answer their questions, and see how data
 * flowed.
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
export type * from "./views/authority-types.ts";
export type * from "./views/view-types.ts";
