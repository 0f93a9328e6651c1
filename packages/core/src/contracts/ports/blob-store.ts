/** Content-addressed bytes beside the journal, so that events stay small. */
export interface BlobStore {
  /**
   * Stores bytes and returns their SHA-256 in hex. Until a record names them they are awaited: for ten minutes no deletion
   * of a run that has the same bytes takes them along.
   */
  putBlob(bytes: Uint8Array): Promise<string>;
  /** @throws BlobNotFoundError when the hash is not known. */
  getBlob(hash: string): Promise<Uint8Array>;
}
