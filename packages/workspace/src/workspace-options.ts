import type { Extension } from "@bailiwick/core";
import type { Snapshot } from "./copy/copy-state.ts";
import type { WorkspaceHost, WorkspaceLimits } from "./host/host.ts";
import type { WorkspaceToolName } from "./tool-names.ts";

/** A folder of this machine that the sandbox gets. */
export interface WorkspaceMount {
  /** Absolute path on this machine. */
  readonly from: string;
  /** True if commands may only read it. Default `true`. */
  readonly readOnly?: boolean | undefined;
}

/** Options of `workspace()`. */
export interface WorkspaceOptions {
  /**
   * Adds the folder's `AGENTS.md` and `CLAUDE.md` to the instructions, 16 KB at most, read once at the start. Set it only
   * for a project that only you write. Default `false`.
   */
  readonly instructions?: boolean | undefined;
  /** Files to copy although `.gitignore` names them, such as `config.local.json`. Default: none. */
  readonly include?: readonly string[] | undefined;
  /**
   * A command that runs once, before the first call, over a copy of manifests and lock files alone. The folders that it
   * makes are mounted read-only in the sandbox. Default: none.
   */
  readonly setup?: string | undefined;
  /** Hosts that `setup` may reach, such as `packages.example`. Default: none. */
  readonly setupHosts?: readonly string[] | undefined;
  /** Files that `setup` sees. Default: the manifests and lock files of known package managers. */
  readonly setupFiles?: readonly string[] | undefined;
  /** Hosts that `bash` may reach. It counts as a writer then, and most commands ask a person. Default: none. */
  readonly hosts?: readonly string[] | undefined;
  /** The place in which the model works. Default: bubblewrap where it is, else `just-bash`, a simulated shell. */
  readonly host?: WorkspaceHost | undefined;
  /** Environment of the commands, as literals. A secret does not belong here. Default: none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** True for a workspace without `write`, `edit` and `apply_changes`. Default `false`. */
  readonly readOnly?: boolean | undefined;
  /** More folders of this machine, by their absolute path inside. Default: none. */
  readonly mounts?: Readonly<Record<string, WorkspaceMount>> | undefined;
  /** Limits of the sandbox and of the results. */
  readonly limits?: Partial<WorkspaceLimits> | undefined;
  /** The tools that the agent gets. Default: all. */
  readonly tools?: readonly WorkspaceToolName[] | undefined;
  /** Folder for copies and snapshots, outside the project. Default: the user's state folder. */
  readonly keep?: string | undefined;
}

/** A copy of the folder, in which one session works. */
export interface WorkspaceCopy {
  /** The changes that are not applied, in the form of `git diff`. */
  diff(): Promise<string>;
  /**
   * Writes the changes into the folder, without a question: for your own code.
   *
   * @throws WorkspaceError `CHANGED_MEANWHILE` if the folder has changed; nothing is written then.
   */
  apply(): Promise<void>;
  /**
   * Writes the files back as they were before the last changes were applied.
   *
   * @throws WorkspaceError `CHANGED_MEANWHILE` if the folder has changed since, `WORKSPACE_NOTHING_TO_UNDO` without
   *   applied changes.
   */
  undo(): Promise<void>;
  /** The newest 200 snapshots of the copy, each from before a call that changes it; oldest first. */
  snapshots(): Promise<readonly Snapshot[]>;
  /**
   * Makes the tracked files of the copy as they were.
   *
   * @param id - Id of a snapshot.
   * @throws WorkspaceError `WORKSPACE_SNAPSHOT_GONE`
   */
  restore(id: string): Promise<void>;
}

/** A folder for agents: they work on a copy, and one question decides about the changes. */
export interface Workspace extends AsyncDisposable {
  /** The tools, the instructions, and the reminder of changes that are not applied. */
  readonly extension: Extension;
  /** The host that was chosen. */
  readonly host: WorkspaceHost;
  /**
   * Mounts a folder of this machine into the sandbox.
   *
   * @param folder - Its path inside and on this machine.
   * @throws WorkspaceError `WORKSPACE_STARTED` after the first call.
   */
  mount(folder: { readonly target: string; readonly from: string; readonly readOnly: true }): void;
  /**
   * The copy of a session.
   *
   * @param sessionId - Session of the outermost run. Default: the only copy.
   * @throws WorkspaceError `WORKSPACE_AMBIGUOUS` without an id, if there is more than one copy or none.
   */
  copy(sessionId?: string): WorkspaceCopy;
  /** Every stored copy of this folder. */
  copies(): Promise<readonly { readonly sessionId: string; readonly changedFiles: number; readonly bytes: number }[]>;
  /** Ends the sandboxes. The copies stay. */
  close(): Promise<void>;
}
