import type { ErrorData } from "../contracts/error-data.ts";
import { BailiwickError } from "./bailiwick-error.ts";

/** Maximum depth of causes, and maximum number of members of one error, that are shown. */
const deepest = 4;
const mostMembers = 8;

/**
 * Converts an error to data, with its causes and the members of an `AggregateError`, to a depth of
 * four.
 */
export function toErrorData(error: Error): ErrorData {
  try {
    return dataOf(error, new Set());
  } catch {
    return dataOf(new Error("The error cannot be read."), new Set());
  }
}

function dataOf(error: Error, above: ReadonlySet<unknown>): ErrorData {
  const inside = new Set(above).add(error);
  const shown = (one: unknown): readonly ErrorData[] => {
    if (inside.has(one) || inside.size > deepest) return [];
    // An error that wraps a thrown text has the text as its message.
    const cause = one instanceof Error ? one : new Error(wordsOf(one));
    return cause !== one && error.message.includes(cause.message) ? [] : [dataOf(cause, inside)];
  };
  const [cause] = hidesCause(error) ? [] : shown(error.cause);
  const errors = membersOf(error).flatMap(shown).slice(0, mostMembers);
  const { retryable } = error as { readonly retryable?: unknown };
  return {
    name: error.name,
    code: BailiwickError.isInstance(error) ? error.code : codeOf(error),
    message: error.message,
    ...(typeof retryable === "boolean" && { retryable }),
    ...(cause !== undefined && { cause }),
    ...(errors.length > 0 && { errors }),
  };
}

/** The text of a cause that is not an error: libraries also throw texts, and objects with a message. */
function wordsOf(cause: unknown): string {
  const words = (cause as { readonly message?: unknown } | undefined)?.message ?? cause;
  return typeof words === "string" || typeof words === "number" ? `${words}` : "";
}

/** Codes of failed model calls without an answer: their cause contains no text of the vendor. */
const unanswered: readonly string[] = ["MODEL_CONNECTION_ERROR", "MODEL_TIMEOUT", "MODEL_ABORTED"];

/**
 * True if the cause of an error contains text that must not be shown. The message of a vendor error has its text
 * without the key; the cause is the SDK's error with the original text. The cause of a refused endorsement may quote
 * the withheld value.
 */
function hidesCause(error: Error): boolean {
  if (!BailiwickError.isInstance(error)) return false;
  return error.code === "ENDORSEMENT_REFUSED" || ("body" in error && !unanswered.includes(error.code));
}

/** The members of an `AggregateError`, of this realm or another. */
function membersOf(error: Error): readonly unknown[] {
  const { errors } = error as { readonly errors?: unknown };
  return error.name === "AggregateError" && Array.isArray(errors) ? errors : [];
}

/** The code that the platform gives, such as `ECONNREFUSED`. */
function codeOf(error: Error): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && code !== "" ? code : "ERROR";
}

/** The message of an error with its causes and members, for a person or a model to read. */
export function errorText(error: Error): string {
  return textOf(toErrorData(error));
}

function textOf({ name, message, cause, errors = [] }: ErrorData): string {
  const own = message === "" ? name : message;
  const members = errors.length === 0 ? own : `${own} (${errors.map((member) => textOf(member)).join("; ")})`;
  if (cause === undefined) return members;
  const below = textOf(cause);
  // Wrappers often repeat the message of their cause.
  return own.includes(below) ? members : `${members} (cause: ${below})`;
}
