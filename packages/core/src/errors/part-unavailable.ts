import { BailiwickError } from "./bailiwick-error.ts";

/** A part of the framework that loads on first use could not be loaded; the operation did not happen. */
export class PartUnavailableError extends BailiwickError {
  /** Name of the part, as in the message. */
  readonly part: string;

  constructor(part: string, cause: unknown) {
    super(
      "PART_UNAVAILABLE",
      `${part} could not be loaded, so its action was refused: ${cause instanceof Error ? cause.message : String(cause)}. Serve all files of the build, from the same build, then try again.`,
      { cause },
    );
    this.part = part;
  }
}
