import type { Integrity } from "@bailiwick/core";

/** Whether a value is `verified` or better. */
export function isTrusted(integrity: Integrity): boolean {
  return integrity !== "untrusted";
}
