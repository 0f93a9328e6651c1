/** Synchronous hashing. */
export interface Hasher {
  /** SHA-256 as lower-case hex. */
  sha256(data: string | Uint8Array): string;
  /** HMAC-SHA-256 as lower-case hex. */
  hmacSha256(key: string | Uint8Array, data: string): string;
}
