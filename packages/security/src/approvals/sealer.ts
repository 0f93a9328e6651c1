import { lazyPart } from "@bailiwick/core/extension";
import type { Key, Sealer } from "@bailiwick/core";

import type { Cipher } from "./aes-cipher.ts";
import { keysOf } from "./keys-of.ts";

/** The sealer. Keys are checked when they are given; many agents have none. */
const sealing = lazyPart("The sealing of what is stored", () => import("./aes-cipher.ts"));

type Bytes = Uint8Array<ArrayBuffer>;

function bytesOf(key: Key): Bytes {
  return typeof key === "string" ? new TextEncoder().encode(key) : Uint8Array.from(key);
}

/**
 * Makes a sealer: AES-256-GCM with a random nonce per value. A key that is not 32 bytes long is hashed to 32.
 *
 * @param key - `keys.seal`. With a list, the first key seals and every key opens. Put a new key first, and drop an old
 * one when no value is sealed with it.
 * @throws ConfigurationError `INVALID_OPTION` for an empty key or list.
 * @throws SealBrokenError from `open`, if the key differs, or the value was changed or moved.
 * @throws PartUnavailableError `PART_UNAVAILABLE` from `seal` and `open`, if the encryption cannot be loaded; nothing
 *   was sealed or opened then.
 */
export function sealer(key: Key | readonly Key[]): Sealer {
  const keys = keysOf(key).map(bytesOf) as [Bytes, ...Bytes[]];
  let cipher: Cipher | undefined;
  const using = async <Result>(use: (cipher: Cipher) => Promise<Result>): Promise<Result> =>
    sealing(({ aesCipher }) => use((cipher ??= aesCipher(keys))));
  return {
    async seal(value, place) {
      // Copied now: the value may change while the part loads.
      const text = JSON.stringify(value ?? null);
      return { $sealed: await using(({ encrypt }) => encrypt(text, place)) };
    },
    open: async ({ $sealed }, place) => using(({ decrypt }) => decrypt($sealed, place)),
  };
}
