import { factsOfCode } from "./codes.ts";

const marker: unique symbol = Symbol.for("bailiwick.error");

/** Options of every error. */
export interface BailiwickErrorOptions {
  /** The error that this one reports. */
  readonly cause?: unknown;
  /** The run that it belongs to: it can be inspected and resumed. */
  readonly runId?: string | undefined;
  /** True if the same call may succeed later without a change. Default: by the code; `false` for a code of your own. */
  readonly retryable?: boolean | undefined;
}

/**
 * Base of every error that this framework throws: a stable `code`, and a message that says what happened, where, and
 * what to do. Recognised across copies of the package by a marker symbol, not by `instanceof`.
 *
 * @example
 * ```ts
 * import { BailiwickError } from "@bailiwick/core";
 *
 * try {
 *   throw new BailiwickError("EXAMPLE", "Something happened. Do this.");
 * } catch (error) {
 *   if (BailiwickError.isInstance(error)) console.log(error.code);
 * }
 * ```
 */
export class BailiwickError extends Error {
  /** Stable, in upper case. */
  readonly code: string;
  /** True if the same call may succeed later without a change. */
  readonly retryable: boolean;
  /** The run that it belongs to. */
  runId: string | undefined;

  /**
   * @param code - A stable code in capitals, such as `ORDER_LOCKED`.
   * @param message - What happened, where, and what to do.
   * @param options - `cause` is the error behind this one; `retryable` says if the same call may succeed later.
   */
  constructor(code: string, message: string, options?: BailiwickErrorOptions) {
    super(message, options && "cause" in options ? { cause: options.cause } : undefined);
    Object.defineProperty(this, marker, { value: true });
    this.name = new.target.name;
    this.code = code;
    this.retryable = options?.retryable ?? factsOfCode(code).retryable;
    this.runId = options?.runId;
  }

  /**
   * The command that explains the code: what happened, why, and what to do. It needs no network. It is not a part of the
   * message, which may reach a model.
   */
  get docs(): string {
    return `npx bailiwick explain ${this.code}`;
  }

  /**
   * True if a thrown value is an error of this class, also if another copy of the package threw it. On `BailiwickError`
   * it is true for every error of this framework.
   *
   * @param value - The value that was thrown.
   */
  static isInstance<Thrown extends BailiwickError>(
    this: abstract new (...args: never[]) => Thrown,
    value: unknown,
  ): value is Thrown {
    if (value instanceof this) return true;
    // Another copy of the package has different classes with the same names.
    let type: unknown = marker in Object(value) && !(value instanceof BailiwickError) ? value : null;
    while (type !== null && (type as object).constructor.name !== this.name) type = Object.getPrototypeOf(type);
    return type !== null;
  }
}
