import { SealBrokenError } from "./seal-broken.ts";

const ivLength = 12;

/** Bytes of the keys, the writing one first. */
export type SealKeys = readonly [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]];

/** Encrypts with the first key and decrypts with any of them. */
export interface Cipher {
  encrypt(text: string, place: string | undefined): Promise<string>;
  /** The decrypted value, read as JSON. */
  decrypt(encrypted: string, place: string | undefined): Promise<unknown>;
}

type SealKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

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
function lazyKey(bytes: Uint8Array<ArrayBuffer>): () => Promise<SealKey> {
  let imported: Promise<SealKey> | undefined;
  return () =>
    (imported ??= (async () => {
      const raw = bytes.length === 32 ? bytes : new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      return crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
    })());
}

/**
 * Makes the cipher of a sealer.
 *
 * @throws SealBrokenError from `decrypt`, if the key differs, or the value was changed or moved.
 */
export function aesCipher([first, ...others]: SealKeys): Cipher {
  const writing = lazyKey(first);
  const reading = [writing, ...others.map(lazyKey)];

  /** A wrong key is distinguished from the right one by the tag that each value carries. */
  async function open(whole: Uint8Array<ArrayBuffer>, place: string | undefined): Promise<ArrayBuffer> {
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
    async encrypt(text, place) {
      const iv = crypto.getRandomValues(new Uint8Array(ivLength));
      const plain = new TextEncoder().encode(text);
      const secret = new Uint8Array(await crypto.subtle.encrypt(algorithm(iv, place), await writing(), plain));
      const whole = new Uint8Array(ivLength + secret.length);
      whole.set(iv);
      whole.set(secret, ivLength);
      return toBase64(whole);
    },
    async decrypt(encrypted, place) {
      try {
        const whole = Uint8Array.from(atob(encrypted), (character) => character.charCodeAt(0));
        return JSON.parse(new TextDecoder().decode(await open(whole, place))) as unknown;
      } catch (error) {
        throw new SealBrokenError(error);
      }
    },
  };
}
