import type { WireError } from "../wire-error.ts";
import { invalidRequest } from "./openai-error.ts";

/** OpenAI's error for a name with other characters than letters, digits, `_` and `-`, or with more than 64. */
export function nameProblem(name: string, param: string): WireError | undefined {
  if (!/^[a-zA-Z0-9_-]+$/.test(name)) {
    return invalidRequest(
      `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      param,
      "invalid_value",
    );
  }
  return lengthProblem(name, param, 64);
}

/** OpenAI's error for a text that is too long. */
export function lengthProblem(text: string, param: string, max: number): WireError | undefined {
  return text.length <= max
    ? undefined
    : invalidRequest(
        `Invalid '${param}': string too long. Expected a string with maximum length ${max}, but got a string with length ${text.length} instead.`,
        param,
        "string_above_max_length",
      );
}

/** The first error of a list of checks. */
export function firstProblem<T>(
  items: readonly T[],
  check: (item: T, index: number) => WireError | undefined,
): WireError | undefined {
  for (const [index, item] of items.entries()) {
    const problem = check(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
