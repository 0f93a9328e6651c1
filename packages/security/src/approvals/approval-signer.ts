import { canonicalJson } from "@bailiwick/core/extension";
import type { ApprovalSigner, Hasher, InterruptionData, Key } from "@bailiwick/core";

import { keysOf } from "./keys-of.ts";

/** The signed fields of a question, without its wording. */
function binding(interruption: Omit<InterruptionData, "token">): string {
  const { kind, id, runId, toolCallId, toolName, argsHash, definitionHash, binding, expiresAt } = interruption;
  const bound = { kind, id, runId, toolCallId, toolName, argsHash, definitionHash, expiresAt };
  return canonicalJson(binding === undefined ? bound : { ...bound, binding });
}

/** Compares in constant time, wherever the two texts differ. */
function equalText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1)
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index % Math.max(1, b.length));
  return difference === 0;
}

/** A key, or several of which the first one writes. */
type KeyOrKeys = Key | readonly Key[];

/**
 * Makes a signer of approvals that leave the process: an HMAC-SHA-256 over run, call, arguments, definition and expiry.
 *
 * @param hasher - Hashing port of core.
 * @returns A factory from key to signer; with a list of keys, the first signs, and a signature by any of them is
 * accepted. It throws a ConfigurationError `INVALID_OPTION` for an empty key or list.
 */
export function approvalSigner(hasher: Hasher): (key: KeyOrKeys) => ApprovalSigner {
  return (given) => {
    const keys = keysOf(given);
    return {
      sign: (interruption) => hasher.hmacSha256(keys[0], binding(interruption)),
      verify: (interruption, token) =>
        keys.some((key) => equalText(hasher.hmacSha256(key, binding(interruption)), token)),
    };
  };
}
