import { sha256 } from "@noble/hashes/sha2.js";
import type { Hasher } from "../contracts/ports/hasher.ts";
import type { Ids } from "../contracts/ports/ids.ts";
import type { Clock } from "../contracts/ports/clock.ts";
import { longestDelayMs } from "../errors/longest-delay.ts";
import { hex } from "../json/canonical-json.ts";

/** The part of `node:crypto` that is used, if the platform has it. */
interface NativeCrypto {
  hash?(algorithm: string, data: string | Uint8Array, encoding: "hex"): string;
  createHmac(
    algorithm: string,
    key: string | Uint8Array,
  ): { update(data: string): { digest(encoding: "hex"): string } };
}

/**
 * SHA-256 of the platform if it is synchronous (Node, Bun, Deno), else in JavaScript: the same hashes everywhere.
 *
 * @example
 * ```ts
 * import { defaultHasher } from "@bailiwick/core/extension";
 *
 * export const hash = defaultHasher().sha256("text");
 * ```
 */
export function defaultHasher(): Hasher {
  return nativeHasher() ?? portableHasher();
}

/** SHA-256 in JavaScript, for platforms without synchronous hashing. */
export function portableHasher(): Hasher {
  return {
    sha256: (data) => hex(sha256(toBytes(data))),
    hmacSha256: (key, data) => hex(hmac(toBytes(key), toBytes(data))),
  };
}

function nativeHasher(): Hasher | undefined {
  const platform = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process;
  const native = platform?.getBuiltinModule?.("node:crypto") as NativeCrypto | undefined;
  if (typeof native?.hash !== "function" || typeof native.createHmac !== "function") return undefined;
  const { hash, createHmac } = native;
  return {
    sha256: (data) => hash("sha256", data, "hex"),
    hmacSha256: (key, data) => createHmac("sha256", key).update(data).digest("hex"),
  };
}

/** HMAC with SHA-256, as in RFC 2104. */
function hmac(key: Uint8Array, data: Uint8Array): Uint8Array {
  const block = new Uint8Array(64);
  block.set(key.length > block.length ? sha256(key) : key);
  const hashed = (mask: number, rest: Uint8Array): Uint8Array => {
    const bytes = new Uint8Array(block.length + rest.length);
    bytes.set(block.map((byte) => byte ^ mask));
    bytes.set(rest, block.length);
    return sha256(bytes);
  };
  return hashed(0x5c, hashed(0x36, data));
}

function toBytes(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? new TextEncoder().encode(data) : data;
}

/**
 * Random UUIDs.
 *
 * @example
 * ```ts
 * import { randomIds } from "@bailiwick/core/extension";
 *
 * export const runId = randomIds.next("run");
 * ```
 */
export const randomIds: Ids = {
  // Makes one flat text: a platform's id may be a rope of pieces, which takes ten times the memory.
  next: () => globalThis.crypto.randomUUID().toLowerCase(),
};

/**
 * The platform's time and timers. Timers do not keep the process alive unless they are created to.
 *
 * @example
 * ```ts
 * import { systemClock } from "@bailiwick/core/extension";
 *
 * const cancel = systemClock.setTimer(() => console.log("a second later"), 1_000);
 * cancel();
 * ```
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, delayMs, options) {
    let timer: ReturnType<typeof setTimeout>;
    const start = (rest: number): void => {
      // A longer delay is split into several timers.
      const piece = Math.min(Math.max(rest, 0), longestDelayMs);
      timer = setTimeout(() => (rest > piece ? start(rest - piece) : callback()), piece);
      // Browsers return a number.
      if (typeof timer === "object" && options?.keepAlive !== true) timer.unref();
    };
    start(delayMs);
    return () => clearTimeout(timer);
  },
};
