import type { SessionStore } from "../contracts/ports/session-store.ts";

/** The methods of a session store. */
export const sessionMethods: readonly (keyof SessionStore)[] = [
  "load",
  "append",
  "loadState",
  "writeState",
  "list",
  "search",
  "branch",
  "edit",
  "delete",
  "export",
  "import",
  "share",
  "claim",
];
