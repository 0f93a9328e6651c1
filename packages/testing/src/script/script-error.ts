/** Codes of {@link ScriptFaultError}. */
export type ScriptFaultCode = "SCRIPT_EXHAUSTED" | "SCRIPT_INVALID" | "SCRIPT_UNSUPPORTED";

/** A script that cannot be played: used up, contradictory, or with content that the wire cannot carry. */
export class ScriptFaultError extends Error {
  /** Always `ScriptFaultError`. */
  override readonly name: string = "ScriptFaultError";
  /** The reason why the script cannot be played. */
  readonly code: ScriptFaultCode;

  /**
   * @param code - The problem of the script.
   * @param message - What happened, where, and what to do.
   */
  constructor(code: ScriptFaultCode, message: string) {
    super(message);
    this.code = code;
  }
}
