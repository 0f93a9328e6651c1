import type { Label } from "@bailiwick/core";

import { isTrusted } from "./trusted.ts";

/**
 * [flow.r7.never-system] Whether recalled text may stand in the system prompt: only what is trusted may.
 *
 * @param label - Label of the memory, as it was kept with the write.
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
