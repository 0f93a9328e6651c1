/** Synchronous hashing. */
export interface Hasher {
  /**
   * SHA-256 as lower-case hex.
   *
   * @param data - The bytes; a text is hashed as UTF-8.
   */
  sha256(data: string | Uint8Array): string;
  /**
   * HMAC-SHA-256 as lower-case hex.
   *
   * @param key - The secret key; a text is used as UTF-8.
   * @param data - The text to authenticate.
   */
  hmacSha256(key: string | Uint8Array, data: string): string;
}
