/** A key: bytes, or a text that is hashed to them. */
export type Key = Uint8Array | string;

/** Keys that protect journals and approvals. With a list, the first key writes, and data of every key can be read. */
export interface Keys {
  /** HMAC key for journal heads and outgoing decisions. */
  readonly sign?: Key | readonly Key[] | undefined;
  /**
   * AES-GCM key: the contents of runs, sessions and kept results cannot be read in any store. 32 bytes, or a text that
   * is hashed to them.
   */
  readonly seal?: Key | readonly Key[] | undefined;
}
