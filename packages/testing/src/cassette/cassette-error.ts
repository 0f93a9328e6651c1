import { ConfigurationError } from "@bailiwick/core";
import type { Difference } from "./differences.ts";

/** Codes of {@link CassetteError}. */
export type CassetteErrorCode =
  | "CASSETTE_MISSING"
  | "CASSETTE_INVALID"
  | "CASSETTE_MISMATCH"
  | "CASSETTE_SECRET"
  | "CASSETTE_UNSUPPORTED";

/** A cassette cannot be played or written. Adapters pass the error on unchanged, and the runner does not retry. */
export class CassetteError extends ConfigurationError {
  /** The differences between the request and the most similar recorded one, for `CASSETTE_MISMATCH`. */
  readonly differences: readonly Difference[];

  /**
   * @param code - The problem.
   * @param message - What happened, where, and what to do.
   * @param differences - Differences between the request and the recorded one.
   */
  constructor(code: CassetteErrorCode, message: string, differences: readonly Difference[] = []) {
    super(code, message);
    this.differences = differences;
  }

  /** Kept short: a vendor's SDK searches an error's text for its own phrases, such as those for a time-out. */
  override toString(): string {
    return `${this.name}: ${this.code}`;
  }
}
