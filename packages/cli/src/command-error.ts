import { BailiwickError } from "@bailiwick/core";
import { exitCodes } from "./exit-codes.ts";

/** A command failed for a reason that the user can fix. */
export class CommandError extends BailiwickError {
  /** Exit code of the process. */
  readonly exitCode: number;

  constructor(code: string, message: string, exitCode: number, options?: { readonly cause?: unknown }) {
    super(code, message, options);
    this.exitCode = exitCode;
  }
}

/** Reports a wrong command line. */
export function usageError(message: string): CommandError {
  return new CommandError("CLI_USAGE", message, exitCodes.usage.code);
}
