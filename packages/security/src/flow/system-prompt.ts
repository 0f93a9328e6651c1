import type { Label } from "@bailiwick/core";

import { isTrusted } from "./trusted.ts";

/**
 * True if a recalled text may be in the system prompt: only trusted text may [flow.r7.never-system].
 *
 * @param label - Label of the memory, as stored with it.
 * @example
 * ```ts
 * import { mayEnterSystemPrompt } from "@bailiwick/security";
 *
 * console.log(mayEnterSystemPrompt({ integrity: "untrusted" })); // false
 * ```
 */
export function mayEnterSystemPrompt(label: Pick<Label, "integrity">): boolean {
  return isTrusted(label.integrity);
}
