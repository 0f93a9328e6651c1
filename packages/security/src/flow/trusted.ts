import type { Trust } from "./lattice.ts";

/** Whether a value is `verified` or better. */
export function isTrusted(integrity: Trust): boolean {
  return integrity !== "untrusted" && integrity !== "assumed";
}
