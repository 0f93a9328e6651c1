import { ConfigurationError } from "./configuration-errors.ts";

/** A kind and a name: `user:emma`, `source:mcp:tracker`. */
const principal = /^[^\s:]+:\S/u;

/**
 * Tells what is wrong with a list of readers: each is a name with its kind. "public" is not a name: everyone is
 * `readers: "public"`, without a list.
 *
 * @param given - The declared readers.
 * @returns `undefined` for a valid list and for `"public"`; else what to write instead.
 */
export function readersProblem(given: unknown): string | undefined {
  if (given === "public") return undefined;
  const form = `Write "public" for everyone, or a list of names with their kind, such as ["user:emma", "team:shop"].`;
  if (!Array.isArray(given)) return `is not a list of readers. ${form}`;
  if (given.includes("public")) return `has "public" in a list, where only names are valid. ${form}`;
  const wrong = (given as readonly unknown[]).find((one) => typeof one !== "string" || !principal.test(one));
  return wrong === undefined
    ? undefined
    : `has ${JSON.stringify(wrong) ?? "undefined"}, a name without a kind. ${form}`;
}

/**
 * Refuses readers that no rule could compare.
 *
 * @param given - The readers; `undefined` means that none are declared.
 * @param what - The place of the readers, for the message: `Tool "get_day": output.readers`.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkReaders(given: unknown, what: string): void {
  const problem = given === undefined ? undefined : readersProblem(given);
  if (problem !== undefined) throw new ConfigurationError("INVALID_OPTION", `${what} ${problem}`);
}
