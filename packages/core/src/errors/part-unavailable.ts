import { BailiwickError } from "./bailiwick-error.ts";

/** A part of the framework that loads when it is first used could not be loaded; what needed it was not done. */
export class PartUnavailableError extends BailiwickError {
  /** What the part is, as the message says it. */
  readonly part: string;

  constructor(part: string, cause: unknown) {
    super(
      "PART_UNAVAILABLE",
      `${part} could not be loaded, so what needed it was not done: ${cause instanceof Error ? cause.message : String(cause)}. It is a file of its own in a bundle: see that all files of the build are served, from the same build, then try again.`,
      { cause },
    );
    this.part = part;
  }
}
