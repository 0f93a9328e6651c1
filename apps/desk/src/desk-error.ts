/** Errors of the desk itself. */
export type DeskErrorCode =
  | "INVALID_SETTING"
  | "PORT_TAKEN"
  | "PAGE_NOT_BUILT"
  | "USAGE"
  | "NOTHING_TO_APPROVE"
  | "NOTHING_TO_ANSWER"
  | "INVALID_REQUEST";

/** A refusal of the desk, in one line that says what to do. */
export class DeskError extends Error {
  override readonly name = "DeskError";
  readonly code: DeskErrorCode;

  constructor(code: DeskErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
