import { BailiwickError } from "./bailiwick-error.ts";

/** Nobody trusted a value: its label stays as it is. The message holds nothing of the value. */
export class EndorsementError extends BailiwickError {
  constructor(
    code: "ENDORSEMENT_REFUSED" | "ENDORSEMENT_IMPOSSIBLE",
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(code, message, options);
  }
}
