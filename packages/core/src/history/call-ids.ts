import { sha256 } from "@noble/hashes/sha2.js";

/** Form of tool-call ids. */
interface CallIdLimits {
  /** Tested against the whole id. `undefined`: any characters. */
  readonly pattern?: RegExp | undefined;
  /** Longest id in characters. `undefined`: any length. */
  readonly maxLength?: number | undefined;
}

const suffixLength = 8;
const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";

/** The first `length` characters of a digest in letters and digits. */
function digest(text: string, length: number): string {
  let result = "";
  for (let round = 0; result.length < length; round += 1) {
    for (const byte of sha256(new TextEncoder().encode(`${round}:${text}`)))
      result += alphabet.charAt(byte % alphabet.length);
  }
  return result.slice(0, length);
}

/**
 * Gives each call of one request an id that the target accepts, unique in the request. A class, because there is one for
 * every run: instances share their methods, closures would not.
 */
export class CallIds {
  readonly #limits: CallIdLimits;
  #used: Set<string> | undefined;

  constructor(limits: CallIdLimits) {
    this.#limits = limits;
  }

  /** The wire id for the next call of an id in history. A valid id that is free is kept. */
  assign(id: string): string {
    const used = (this.#used ??= new Set());
    let wireId = id;
    for (let attempt = 0; !this.#fits(wireId) || used.has(wireId); attempt += 1) {
      wireId = this.#derive(id, attempt);
      if (!used.has(wireId)) break;
    }
    used.add(wireId);
    return wireId;
  }

  /** Frees ids of calls that will be assigned again. */
  release(ids: readonly string[]): void {
    for (const id of ids) this.#used?.delete(id);
  }

  #fits(id: string): boolean {
    const { maxLength, pattern } = this.#limits;
    return (
      id.length > 0 &&
      (maxLength === undefined || id.length <= maxLength) &&
      (pattern === undefined || pattern.test(id))
    );
  }

  #derive(id: string, attempt: number): string {
    const { maxLength } = this.#limits;
    const seed = attempt === 0 ? id : `${id}#${attempt}`;
    const room = (maxLength ?? 64) - suffixLength - 1;
    const readable = `${id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, Math.max(0, room))}_${digest(seed, suffixLength)}`;
    // Some servers accept only short ids of letters and digits, with no space for readable ones.
    return this.#fits(readable) ? readable : digest(seed, maxLength ?? 24);
  }
}
