import { BailiwickError } from "../errors/bailiwick-error.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { id } from "../errors/id-check.ts";
import type { Owner } from "../contracts/owner.ts";

/**
 * The answer of an `authorize` function. Any other value than a caller or `null` refuses the request: `false`, or a forgotten
 * return, would make a stranger an anonymous caller.
 *
 * @param given - The value that `authorize` returned.
 * @param what - Function that took `authorize`, for the message.
 * @returns `undefined` if the request is refused.
 * @throws ConfigurationError `INVALID_OPTION`
 * @example
 * ```ts
 * import { checkedCaller } from "@bailiwick/core/extension";
 *
 * export const caller = checkedCaller({ userId: "ana" }, "my routes");
 * ```
 */
export function checkedCaller<Who extends Owner>(given: Who | null, what: string): Who | undefined {
  if (given === null) return undefined;
  try {
    const { userId, tenantId }: { readonly userId?: unknown; readonly tenantId?: unknown } = given;
    const isOwner = [userId, tenantId].every((one) => one === undefined || id(one) === undefined);
    if (typeof given === "object" && !Array.isArray(given) && isOwner) return given;
  } catch (cause) {
    if (BailiwickError.isInstance(cause)) throw cause;
    throw refused(what, cause);
  }
  throw refused(what);
}

function refused(what: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    "INVALID_OPTION",
    `"authorize" of ${what} returned something other than a caller or null. Return { userId, tenantId }, each a well-formed text that is not empty, or left out, or null to refuse.`,
    ...(cause === undefined ? [] : [{ cause }]),
  );
}
