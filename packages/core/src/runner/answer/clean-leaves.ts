import type { DrivenRun } from "../driven-run.ts";
import { filtered } from "./filtered-text.ts";

/**
 * A structured answer without what may not leave, string by string, names of members included. The text that it was
 * parsed from is no place to do that: JSON escapes hide a link there, and what is taken out may end a string.
 */
export function cleanLeaves(run: DrivenRun, value: unknown): unknown {
  if (typeof value === "string") return filtered(run, value);
  if (Array.isArray(value)) return value.map((item) => cleanLeaves(run, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [filtered(run, name), cleanLeaves(run, item)]));
}
