import { BailiwickError } from "@bailiwick/core/extension";

/** An error of a workspace; its `code` says which. */
export class WorkspaceError extends BailiwickError {}
