import type { Key } from "../contracts/keys.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";

/** One key, or a list whose first key signs. */
export type KeyOrKeys = Key | readonly Key[];

/** The keys of an option, the signing one first. */
export function keysOf(given: KeyOrKeys | undefined): readonly Key[] {
  if (given === undefined) return [];
  return typeof given === "string" || given instanceof Uint8Array ? [given] : given;
}

/** HMAC with the key that signs; `undefined` without a key. */
export function signWith(hasher: Hasher, given: KeyOrKeys | undefined, text: string): string | undefined {
  const [first] = keysOf(given);
  return first === undefined ? undefined : hasher.hmacSha256(first, text);
}

/** True if one of the keys made a signature. */
export function isSignedWith(hasher: Hasher, given: KeyOrKeys | undefined, text: string, mac: string): boolean {
  return keysOf(given).some((key) => hasher.hmacSha256(key, text) === mac);
}
