import { StoreError } from "@bailiwick/core";

/** The first minor version of each major whose SQLite has full-text search and takes numbered parameters. */
const needed: Readonly<Record<number, number>> = { 22: 20, 24: 7 };

/**
 * Refuses a Node version whose SQLite lacks what the store uses. Bun and Deno have their own SQLite.
 *
 * @param versions - Value of `process.versions`.
 * @throws StoreError `STORE_NODE_TOO_OLD`
 */
export function checkNodeVersion(versions: Readonly<Record<string, string | undefined>>): void {
  const { node = "0", bun, deno } = versions;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (bun !== undefined || deno !== undefined || major > 24 || minor >= (needed[major] ?? Infinity)) return;
  throw new StoreError(
    "STORE_NODE_TOO_OLD",
    `sqliteStore() needs Node 22.20 or newer, or 24.7 or newer, and this is Node ${node}.`,
  );
}
