import type { GrantReference } from "@bailiwick/core";

import { stepsOf } from "./paths.ts";
import { mailsIn } from "./value-forms.ts";

/** Fields of a record that name its author. */
export const authorFields: ReadonlySet<string> = new Set(["from", "sender", "author", "user", "username", "owner"]);

/**
 * [grants.whole-list] True if a condition names the author of a record by the whole value. Outsiders can write any
 * content into their records, but not the author, which the host verifies. A text that only contains a name may be by
 * another author.
 */
export function namesAuthor({ where }: Pick<GrantReference, "where">): boolean {
  return Object.entries(where ?? {}).some(([key, expected]) => {
    if (typeof expected !== "string" || expected === "") return false;
    const name = (stepsOf(key) ?? [key]).findLast((step) => typeof step === "string") ?? "";
    // "from" may be a place or a time too.
    return name === "from" ? mailsIn(expected).length === 1 : authorFields.has(name);
  });
}
