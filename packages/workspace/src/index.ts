/**
 * Workspaces: agents read, edit and run a project in a sandbox, on a copy, and one question decides about the changes.
 *
 * @module
 */
export { workspace } from "./workspace.ts";
export { localHost } from "./host/local-host.ts";
export { simulatedHost } from "./host/simulated-host.ts";
export { WorkspaceError } from "./workspace-error.ts";
export type { Snapshot } from "./copy/copy-state.ts";
export type {
  WorkspaceBackground,
  WorkspaceBackgroundState,
  WorkspaceCommand,
  WorkspaceEnforcement,
  WorkspaceEntry,
  WorkspaceExit,
  WorkspaceHost,
  WorkspaceLimits,
  WorkspacePlace,
  WorkspaceSandbox,
} from "./host/host.ts";
export type { WorkspaceToolName } from "./tool-names.ts";
export type { Workspace, WorkspaceCopy, WorkspaceMount, WorkspaceOptions } from "./workspace-options.ts";
