/** A key: bytes, or a text that is hashed to them. */
export type Key = Uint8Array | string;

/** Keys that protect journals and approvals. Of a list, the first key writes, and what any of them wrote is read. */
export interface Keys {
  /** HMAC key for journal heads and outgoing decisions. */
  readonly sign?: Key | readonly Key[] | undefined;
  /** AES-GCM key: what runs, sessions and kept results hold is not readable in any store. 32 bytes, or a text that is hashed to them. */
  readonly seal?: Key | readonly Key[] | undefined;
}
