import { checkArgument } from "@bailiwick/core";

/**
 * Refuses what is not the result of an evaluation.
 *
 * @param result - The argument.
 * @param form - The correct call, for the message.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkResult(result: unknown, form: string): void {
  checkArgument(result, "object", form);
  for (const name of ["cases", "scores"])
    checkArgument((result as Readonly<Record<string, unknown>>)[name], "array", form);
}
