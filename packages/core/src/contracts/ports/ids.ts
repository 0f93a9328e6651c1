/** Source of unique ids. */
export interface Ids {
  /**
   * A new id, such as a UUID. `kind` is a hint for readable test ids.
   *
   * @param kind - The use of the id. It must not affect uniqueness.
   */
  next(kind: "run" | "session" | "message" | "call" | "interruption" | "signal" | "owner" | "label"): string;
}
