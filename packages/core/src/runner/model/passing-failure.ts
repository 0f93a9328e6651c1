import { isModelError } from "./model-error.ts";

/** Codes of failed connections that may succeed the next time. */
const codes: ReadonlySet<unknown> = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_SOCKET",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const words = /rate[ _-]?limit|overloaded|too many requests/iu;
/** Maximum depth of causes that is read. */
const deepest = 5;

/**
 * True if a failed model call may succeed on another try. A ModelError declares this itself. Of any other error, these
 * are read: its code, its status, its message, and its causes.
 */
export function mayPass(error: unknown): boolean {
  if (isModelError(error)) return error.retryable;
  let one: unknown = error;
  for (let depth = 0; depth < deepest && typeof one === "object" && one !== null; depth += 1) {
    const { code, errno, status, statusCode, message, name, cause } = one as Readonly<Record<string, unknown>>;
    if (name === "AbortError") return false;
    if (codes.has(code) || codes.has(errno)) return true;
    const said = Number(status ?? statusCode);
    if (said === 429 || said === 408 || (said >= 500 && said < 600)) return true;
    if (
      typeof message === "string" &&
      (words.test(message) || [...codes].some((known) => message.includes(String(known))))
    )
      return true;
    one = cause;
  }
  return false;
}
