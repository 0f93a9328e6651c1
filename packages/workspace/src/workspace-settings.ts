import type { WorkspaceHost, WorkspaceLimits, WorkspacePlace } from "./host/host.ts";
import type { WorkspaceToolName } from "./tool-names.ts";

/** The options of a workspace after their check. */
export interface WorkspaceSettings {
  /** Real path of the user's folder. */
  readonly folder: string;
  /** Folder of the copies of this folder. */
  readonly keep: string;
  readonly host: WorkspaceHost;
  readonly env: Readonly<Record<string, string>>;
  readonly hosts: readonly string[];
  readonly limits: WorkspaceLimits;
  /** Grows until the first sandbox starts. */
  readonly mounts: WorkspacePlace["mounts"][number][];
  readonly isStarted: { value: boolean };
  readonly include: readonly string[];
  readonly setup: string | undefined;
  readonly setupHosts: readonly string[];
  readonly setupFiles: readonly string[] | undefined;
  readonly readOnly: boolean;
  readonly instructions: boolean;
  readonly tools: readonly WorkspaceToolName[];
  warn(message: string): void;
}
