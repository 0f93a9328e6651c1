/** Names of the tools of a workspace. */
export type WorkspaceToolName =
  | "read"
  | "write"
  | "edit"
  | "glob"
  | "grep"
  | "bash"
  | "bash_output"
  | "bash_kill"
  | "apply_changes";

/** The tools in the order in which the model gets them. */
export const toolNames: readonly WorkspaceToolName[] = [
  "read",
  "write",
  "edit",
  "glob",
  "grep",
  "bash",
  "bash_output",
  "bash_kill",
  "apply_changes",
];
