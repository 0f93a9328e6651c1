import { BailiwickError } from "@bailiwick/core";

/** A request was refused because of where it would go; nothing was sent. */
export class EgressDeniedError extends BailiwickError {
  constructor(target: string, reason: string) {
    super("EGRESS_DENIED", `The request to ${target} is refused: ${reason}.`);
  }
}
