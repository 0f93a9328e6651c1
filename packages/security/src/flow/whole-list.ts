import type { GrantReference, ResolvedTool } from "@bailiwick/core";

import { isComplete } from "./complete-list.ts";
import type { RecordedCall } from "./flow-state.ts";
import { fieldIntegrity } from "./output-level.ts";
import type { Step } from "./paths.ts";
import { isTrusted } from "./trusted.ts";
import { namesAuthor } from "./verified-author.ts";

/** Facts about a list from which a reference selects. */
export interface SelectedList {
  readonly tool: ResolvedTool;
  /** The steps of the reference's path. */
  readonly steps: readonly Step[];
  /** The fields that the reference reads and selects by are verified. */
  readonly isDeclared: boolean;
  /** The user wrote every record that fits. */
  readonly isOwn: boolean;
}

/**
 * [grants.whole-list] The reason why a list that outsiders can add to decides nothing: it may be cut, so a
 * flood of records may have displaced the right one.
 */
export function floodedProblem(
  reference: GrantReference,
  call: RecordedCall,
  { tool, steps, isDeclared, isOwn }: SelectedList,
): string | undefined {
  // An output that is verified as a whole has no records of outsiders, and with `each` every record is granted.
  if (isTrusted(fieldIntegrity(tool, "")) || reference.each === true) return undefined;
  const isAuthors = isOwn || (isDeclared && namesAuthor(reference));
  if (isAuthors && !compares(reference)) return undefined;
  if (isComplete(call.output, call.args, { steps, maxRows: tool.output?.maxRows })) return undefined;
  return `others can add records to the list of "${tool.name}", and it may be cut`;
}

/** Compares or counts records, so a missing record changes the value. Otherwise a missing record gives none. */
function compares({ by, of, pick }: GrantReference): boolean {
  return by !== undefined || of !== undefined || pick !== undefined;
}
