import { BailiwickError } from "@bailiwick/core";
import type { Key, Sealer } from "@bailiwick/core";
import { keysOf } from "./keys-of.ts";

const ivLength = 12;

type SealKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A sealed value cannot be opened: another key, or it was changed or moved. */
export class SealBroken extends BailiwickError {
  constructor(cause: unknown) {
    super(
      "SEAL_BROKEN",
      "A sealed value cannot be opened: it was sealed with a key that is not among keys.seal, or it was changed or moved. Add the key that it was sealed with: keys: { seal: [newKey, oldKey] }.",
      { cause },
    );
  }
}

/** The place is authenticated with the value, and not stored with it. */
function algorithm(
  iv: Uint8Array<ArrayBuffer>,
  place: string | undefined,
): Parameters<typeof crypto.subtle.encrypt>[0] {
  return { name: "AES-GCM", iv, ...(place !== undefined && { additionalData: new TextEncoder().encode(place) }) };
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The key of AES, made when it is first needed. */
function lazyKey(key: Key): () => Promise<SealKey> {
  const bytes = typeof key === "string" ? new TextEncoder().encode(key) : Uint8Array.from(key);
  let imported: Promise<SealKey> | undefined;
  return () =>
    (imported ??= (async () => {
      const raw = bytes.length === 32 ? bytes : new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      return crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
    })());
}

/**
 * Makes a sealer: AES-256-GCM with a random nonce per value. A key that is not 32 bytes long is hashed to 32.
 *
 * @param key - `keys.seal`. Of a list, the first key seals, and each of them opens: a new key is put in front, and an old
 * one is left out when nothing is sealed with it any more.
 * @throws ConfigurationError `INVALID_OPTION` for an empty key or list.
 * @throws SealBroken from `open`, when the key is another, or the value was changed or belongs elsewhere.
 */
export function sealer(key: Key | readonly Key[]): Sealer {
  const keys = keysOf(key);
  const [first] = keys;
  const writing = lazyKey(first);
  const reading = [writing, ...keys.slice(1).map(lazyKey)];

  /** A wrong key is told from the right one by the tag that each value carries. */
  async function decrypt(whole: Uint8Array<ArrayBuffer>, place: string | undefined): Promise<ArrayBuffer> {
    const how = algorithm(whole.subarray(0, ivLength), place);
    let refusal: unknown;
    for (const cryptoKey of reading) {
      try {
        return await crypto.subtle.decrypt(how, await cryptoKey(), whole.subarray(ivLength));
      } catch (error) {
        refusal = error;
      }
    }
    throw refusal;
  }

  return {
    async seal(value, place) {
      const iv = crypto.getRandomValues(new Uint8Array(ivLength));
      const plain = new TextEncoder().encode(JSON.stringify(value ?? null));
      const secret = new Uint8Array(await crypto.subtle.encrypt(algorithm(iv, place), await writing(), plain));
      const whole = new Uint8Array(ivLength + secret.length);
      whole.set(iv);
      whole.set(secret, ivLength);
      return { $sealed: toBase64(whole) };
    },
    async open(sealed, place) {
      try {
        const whole = Uint8Array.from(atob(sealed.$sealed), (character) => character.charCodeAt(0));
        return JSON.parse(new TextDecoder().decode(await decrypt(whole, place))) as unknown;
      } catch (error) {
        throw new SealBroken(error);
      }
    },
  };
}
