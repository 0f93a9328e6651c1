import { BailiwickError } from "@bailiwick/core";
import type { Sealer } from "@bailiwick/core";

const ivLength = 12;

type SealKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A sealed value cannot be opened: another key, or it was changed or moved. */
export class SealBroken extends BailiwickError {
  constructor(cause: unknown) {
    super(
      "SEAL_BROKEN",
      "A sealed value cannot be opened: it was sealed with another keys.seal, or it was changed or moved. Use the key that the run was started with.",
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

/**
 * Makes a sealer: AES-256-GCM with a random nonce per value. A key that is not 32 bytes long is hashed to 32.
 *
 * @param key - `keys.seal`.
 * @throws SealBroken from `open`, when the key is another, or the value was changed or belongs elsewhere.
 */
export function sealer(key: Uint8Array | string): Sealer {
  const bytes = typeof key === "string" ? new TextEncoder().encode(key) : Uint8Array.from(key);
  let imported: Promise<SealKey> | undefined;
  const cryptoKey = (): Promise<SealKey> =>
    (imported ??= (async () => {
      const raw = bytes.length === 32 ? bytes : new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      return crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
    })());
  return {
    async seal(value, place) {
      const iv = crypto.getRandomValues(new Uint8Array(ivLength));
      const plain = new TextEncoder().encode(JSON.stringify(value ?? null));
      const secret = new Uint8Array(await crypto.subtle.encrypt(algorithm(iv, place), await cryptoKey(), plain));
      const whole = new Uint8Array(ivLength + secret.length);
      whole.set(iv);
      whole.set(secret, ivLength);
      return { $sealed: toBase64(whole) };
    },
    async open(sealed, place) {
      try {
        const whole = Uint8Array.from(atob(sealed.$sealed), (character) => character.charCodeAt(0));
        const plain = await crypto.subtle.decrypt(
          algorithm(whole.subarray(0, ivLength), place),
          await cryptoKey(),
          whole.subarray(ivLength),
        );
        return JSON.parse(new TextDecoder().decode(plain)) as unknown;
      } catch (error) {
        throw new SealBroken(error);
      }
    },
  };
}
