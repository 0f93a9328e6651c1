/** A response that gives its body as plain chunks, without a web stream between. */
export interface WithBodyChunks {
  /** The chunks of the body, as they arrive; takes the body. */
  bodyChunks(): AsyncIterable<Uint8Array>;
}
