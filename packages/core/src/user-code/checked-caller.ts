import { BailiwickError } from "../errors/bailiwick-error.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { id } from "../errors/id-check.ts";
import type { Owner } from "../contracts/owner.ts";

/**
 * The answer of an `authorize` function. Any other value than a caller or `null` refuses the request: `false`, a
 * `Response`, or a record with a misspelt `userId` would make a stranger an anonymous caller.
 *
 * @param given - The value that `authorize` returned.
 * @param what - Function that took `authorize`, for the message.
 * @param fields - Fields that a caller may have besides `userId` and `tenantId`. A caller with a `userId` may have
 *   any others; so may one whose `userId` is written as `undefined`.
 * @returns `undefined` if the request is refused.
 * @throws ConfigurationError `INVALID_OPTION`
 * @example
 * ```ts
 * import { checkedCaller } from "@bailiwick/core/extension";
 *
 * export const caller = checkedCaller({ userId: "ana" }, "my routes");
 * ```
 */
export function checkedCaller<Who extends Owner>(
  given: Who | null,
  what: string,
  fields: readonly string[] = [],
): Who | undefined {
  if (given === null) return undefined;
  try {
    const caller = readOnce(given, ["userId", "tenantId", ...fields]);
    const { userId, tenantId }: { readonly userId?: unknown; readonly tenantId?: unknown } = caller;
    const isOwner = [userId, tenantId].every((one) => one === undefined || id(one) === undefined);
    if (typeof given === "object" && !Array.isArray(given) && isOwner && isNamed(caller, fields)) return caller;
  } catch (cause) {
    if (BailiwickError.isInstance(cause)) throw cause;
    throw refused(what, cause);
  }
  throw refused(what);
}

/**
 * A caller whose fields were read once: what was checked is what counts, whatever a getter answers later. A caller of a
 * class keeps its methods.
 */
function readOnce<Who extends object>(given: Who, fields: readonly string[]): Who {
  const prototype: unknown = Object.getPrototypeOf(given);
  if (prototype === null || prototype === Object.prototype) return { ...given };
  const read = Object.fromEntries(fields.flatMap((name) => (name in given ? [[name, Reflect.get(given, name)]] : [])));
  return new Proxy(given, {
    get(target, name) {
      if (Object.hasOwn(read, name)) return read[name as string] as unknown;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** True if the answer names a user, or has nothing but the fields of a caller: no other object is an anonymous caller. */
function isNamed(given: object, fields: readonly string[]): boolean {
  if ("userId" in given) return true;
  const isRecord = [null, Object.prototype].includes(Object.getPrototypeOf(given) as object | null);
  return isRecord && Object.keys(given).every((name) => name === "tenantId" || fields.includes(name));
}

function refused(what: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    "INVALID_OPTION",
    `"authorize" of ${what} returned something other than a caller or null. Return { userId, tenantId }, each a well-formed text that is not empty, or undefined, or null to refuse. An answer without "userId" has no other fields.`,
    ...(cause === undefined ? [] : [{ cause }]),
  );
}
