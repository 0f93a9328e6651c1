import type { RetryConfig } from "../../contracts/retry-config.ts";
import { askUserCodeNow } from "../../user-code/call-user-code.ts";
import { isModelError } from "./model-error.ts";
import type { Run } from "../run.ts";
import { pauseUnless } from "../limits/timeouts.ts";

/** `RetryConfig` with its defaults. */
interface RetryPlan {
  readonly maxRetries: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  readonly isRetryable: (error: unknown) => boolean;
}

/**
 * A retry configuration with its defaults filled in.
 *
 * @param failed - Reports that the user's `retryableErrors` failed; the error counts as final.
 */
export function retryPlan(config: RetryConfig | undefined, failed: (error: Error) => void): RetryPlan {
  const given = config?.retryableErrors;
  return {
    maxRetries: config?.maxRetries ?? 3,
    initialDelayMs: config?.initialDelayMs ?? 500,
    maxDelayMs: config?.maxDelayMs ?? 10_000,
    isRetryable:
      given === undefined
        ? mayPass
        : (error) => {
            const answer = askUserCodeNow<unknown>("retry.retryableErrors", () => given(error));
            if (answer.ok && typeof answer.value === "boolean") return answer.value;
            failed(answer.ok ? new TypeError(`"retry.retryableErrors" has to return true or false.`) : answer.error);
            return false;
          },
  };
}

/**
 * The delay before the next attempt in milliseconds, or the final error.
 *
 * @param error - Error of the attempt.
 * @param retries - Retries done so far.
 * @param seed - Spreads the delays of different runs; the same for the same run, so that a replay waits equally long.
 */
export function retryDelay(
  plan: RetryPlan,
  error: Error,
  retries: number,
  seed: string,
): { readonly delayMs: number } | { readonly giveUp: Error } {
  if (retries >= plan.maxRetries || !plan.isRetryable(error)) return { giveUp: error };
  const demanded = isModelError(error) ? error.retryAfterMs : undefined;
  if (demanded !== undefined) {
    if (demanded <= plan.maxDelayMs) return { delayMs: demanded };
    return { giveUp: tooLong(error, demanded, plan.maxDelayMs) };
  }
  const delay = Math.min(plan.maxDelayMs, plan.initialDelayMs * 2 ** retries);
  return { delayMs: Math.round(delay * (0.75 + 0.25 * spread(`${seed}/${retries}`))) };
}

function tooLong(error: Error, demandedMs: number, maxMs: number): Error {
  error.message += ` The vendor demands a wait of ${demandedMs} ms, which is above retry.maxDelayMs (${maxMs} ms), so the call failed at once.`;
  return error;
}

/** A number from 0 to 1 that depends on the text alone. */
function spread(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return (hash >>> 0) / 4_294_967_295;
}

/** Waits; returns early if the run is stopped. */
export function sleep({ timers, control }: Run, delayMs: number): Promise<void> {
  return pauseUnless(timers, delayMs, (wake) => control.onStop(wake));
}

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
function mayPass(error: unknown): boolean {
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
