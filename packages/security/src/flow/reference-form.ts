import type { GrantArgument } from "@bailiwick/core";

/** What a grant's `ref` says. */
export type GrantReference = Extract<GrantArgument, { ref: unknown }>["ref"];

/** What is wrong with a reference as it is written, as the end of a sentence about its grant. */
export function referenceProblem({ tool, path, where, times, plus }: GrantReference): string | undefined {
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

/** Whether a condition asks for words that a text holds, rather than for a value. */
export function isWords(expected: unknown): expected is { readonly contains: string } {
  const { contains } = (expected ?? {}) as { readonly contains?: unknown };
  return typeof contains === "string" && Object.keys(expected as object).length === 1;
}
