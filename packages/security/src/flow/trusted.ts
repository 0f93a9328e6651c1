import type { Trust } from "./lattice.ts";

/** True if a value is `verified` or better. */
export function isTrusted(integrity: Trust): boolean {
  return integrity !== "untrusted" && integrity !== "assumed";
}
