import { BailiwickError } from "./bailiwick-error.ts";

/** A value was not endorsed, so its label is unchanged. The message does not contain the value. */
export class EndorsementError extends BailiwickError {
  constructor(
    code: "ENDORSEMENT_REFUSED" | "ENDORSEMENT_IMPOSSIBLE",
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(code, message, options);
  }
}
