import type { GrantReference } from "@bailiwick/core";

/** The error of a written reference, as the end of a sentence about its grant. */
export function referenceProblem(reference: Partial<GrantReference>): string | undefined {
  const { tool, path = "a value", where, times, plus } = reference;
  for (const number of [times, plus]) {
    if (number !== undefined && !Number.isFinite(number))
      return `computes with ${String(number)}. Use a finite number.`;
  }
  for (const [key, expected] of Object.entries(where ?? {})) {
    if (isWords(expected) && expected.contains.trim() === "") {
      return `selects "${path}" of "${tool}" by a "${key}" that contains nothing. Give the words, or leave the condition out.`;
    }
  }
  return undefined;
}

/** True if a condition asks for words that a text contains, rather than for a value. */
export function isWords(expected: unknown): expected is { readonly contains: string } {
  const { contains } = (expected ?? {}) as { readonly contains?: unknown };
  return typeof contains === "string" && Object.keys(expected as object).length === 1;
}

/** True if a condition asks how a text begins. */
export function isPrefix(expected: unknown): expected is { readonly prefix: string } {
  const { prefix } = (expected ?? {}) as { readonly prefix?: unknown };
  return typeof prefix === "string" && prefix !== "" && Object.keys(expected as object).length === 1;
}
