/** Makes ids in a vendor's style. The same sequence for the same seed, so that recordings and snapshots are stable. */
export interface VendorIds {
  /**
   * A new id.
   *
   * @param prefix - Prefix of the vendor's ids, such as `call_`.
   * @param length - Characters after the prefix.
   * @param alphabet - Characters of the ids. Default: letters and digits.
   */
  next(prefix: string, length: number, alphabet?: string): string;
}

/** The hexadecimal digits, for vendors whose ids are made of them. */
export const hexDigits: string = "0123456789abcdef";

const alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Starts a sequence of ids.
 *
 * @param seed - Seed; the same seed gives the same ids.
 */
export function vendorIds(seed = 1): VendorIds {
  let state = (seed * 0x9e3779b9) >>> 0 || 1;
  const random = (): number => {
    // xorshift32: enough to look like a vendor's ids and never repeat within a test
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  return {
    next(prefix: string, length: number, alphabet: string = alphanumeric): string {
      let id = prefix;
      for (let index = 0; index < length; index += 1) id += alphabet.charAt(random() % alphabet.length);
      return id;
    },
  };
}
