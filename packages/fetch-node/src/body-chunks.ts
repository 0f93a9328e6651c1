/** A response that provides its body as plain chunks, without a web stream. */
export interface WithBodyChunks {
  /** The chunks of the body as they arrive; consumes the body. */
  bodyChunks(): AsyncIterable<Uint8Array>;
}
