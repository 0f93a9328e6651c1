import { StoreError } from "@bailiwick/core";

/** The first Node version with SQLite without a flag. */
const needed = [22, 13] as const;

/**
 * Refuses a Node version without SQLite.
 *
 * @param version - Value of `process.versions.node`.
 * @throws StoreError `STORE_NODE_TOO_OLD`
 */
export function checkNodeVersion(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return;
  throw new StoreError(
    "STORE_NODE_TOO_OLD",
    `sqliteStore() needs Node ${needed.join(".")} or newer, and this is Node ${version}.`,
  );
}
