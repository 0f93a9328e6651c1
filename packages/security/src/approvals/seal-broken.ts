import { BailiwickError } from "@bailiwick/core";

/** A sealed value cannot be opened: the key differs, or the value was changed or moved. */
export class SealBrokenError extends BailiwickError {
  constructor(cause: unknown) {
    super(
      "SEAL_BROKEN",
      "A sealed value cannot be opened: it was sealed with a key that is not among keys.seal, or it was changed or moved. Add the key that it was sealed with: keys: { seal: [newKey, oldKey] }.",
      { cause },
    );
  }
}
