import { ConfigurationError } from "@bailiwick/core";
import type { Key } from "@bailiwick/core";

/**
 * The keys of an option, the writing one first.
 *
 * @throws ConfigurationError `INVALID_OPTION` for an empty list and for an empty key.
 */
export function keysOf(given: Key | readonly Key[]): readonly [Key, ...Key[]] {
  const keys = typeof given === "string" || given instanceof Uint8Array ? [given] : given;
  if (keys.length > 0 && keys.every(({ length }) => length > 0)) return [...keys] as [Key, ...Key[]];
  throw new ConfigurationError(
    "INVALID_OPTION",
    "keys.seal and keys.sign take a key (bytes or text) or a list of keys, the one that writes first. Leave out what is empty, and give at least one.",
  );
}
