import type { GrantReference } from "@bailiwick/core";

import { stepsOf } from "./paths.ts";
import { mailsIn } from "./value-forms.ts";

/** Fields of a record that name its author. */
export const authorFields: ReadonlySet<string> = new Set(["from", "sender", "author", "user", "username", "owner"]);

/**
 * [grants.whole-list] Tells if a condition names the author of a record by the whole value. Others can write the content
 * that a grant looks for into their records, but not the author that the host verifies. A text that only contains a
 * name may be another author's.
 */
export function namesAuthor({ where }: Pick<GrantReference, "where">): boolean {
  return Object.entries(where ?? {}).some(([key, expected]) => {
    if (typeof expected !== "string" || expected === "") return false;
    const name = (stepsOf(key) ?? [key]).findLast((step) => typeof step === "string") ?? "";
    // "from" may be a place or a time as well.
    return name === "from" ? mailsIn(expected).length === 1 : authorFields.has(name);
  });
}
