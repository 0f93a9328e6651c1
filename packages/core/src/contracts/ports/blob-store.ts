/** Content-addressed bytes beside the journal, so that events stay small. */
export interface BlobStore {
  /**
   * Stores bytes and returns their SHA-256 in hex. For ten minutes, until a record names them, the deletion of another
   * run with the same bytes does not delete them.
   *
   * @param bytes - The content.
   */
  putBlob(bytes: Uint8Array): Promise<string>;
  /**
   * @param hash - The SHA-256 of the content in hex, as `putBlob` returned it.
   * @throws BlobNotFoundError when the hash is not known.
   */
  getBlob(hash: string): Promise<Uint8Array>;
}
