import type { ModelResponse } from "../contracts/model-response.ts";
import { ContextOverflowError, ModelApiError, type ModelError } from "../errors/model-errors.ts";
import { wellFormed } from "../json/well-formed.ts";
import { isPage } from "./answer-json.ts";
import { beginningOf } from "./foreign-text.ts";
import { overflowNumbers } from "./overflow-numbers.ts";
import { saysOverflow } from "./overflow.ts";
import { redactCause, redactHeaders, redactKey } from "./redact.ts";
import { resetDelayMs, retryAfterMs, toldDelayMs } from "./retry-after.ts";

/** The failure that a vendor reported. */
export interface ApiFailure {
  /** Vendor, such as `openai`. */
  readonly provider: string;
  /** Id of the requested model. */
  readonly model: string;
  /** HTTP status; for an error inside a stream, the status that the vendor uses for such an error. */
  readonly status?: number | undefined;
  /** The vendor's machine-readable codes and types, in any order. */
  readonly codes?: readonly (string | null | undefined)[] | undefined;
  /** The vendor's sentence; gateways also send objects and lists, which are quoted as JSON. */
  readonly message: unknown;
  /** The vendor's id of the request, for its support. */
  readonly requestId?: string | null | undefined;
  /** Response headers: the retry delay and the rate limits are read from them. */
  readonly headers?: Headers | undefined;
  /** A sentence that says what to do, if the adapter knows better than the kind of the failure. */
  readonly advice?: string | undefined;
  /** True if the account's quota is used up, so that waiting does not help. Default: judged by the vendor's text. */
  readonly quotaSpent?: boolean | undefined;
  /** Delay in milliseconds that the body demands, if the headers do not. */
  readonly retryAfterMs?: number | undefined;
  /** The response body as text. */
  readonly body?: string | undefined;
  /** The key of the request: it is removed wherever the vendor quotes it. */
  readonly apiKey?: string | undefined;
  /** The part of the answer that had arrived. */
  readonly partial?: ModelResponse | undefined;
  /** The original error. */
  readonly cause?: unknown;
}

const quotaCodes = /insufficient_quota|billing|credit|payment_required|spend_limit/i;
const quotaTexts =
  /exceeded your current quota|insufficient (balance|credits?|funds)|credit balance is too low|billing/i;

/**
 * The typed error for a vendor's error response.
 *
 * @param failure - Status, code and message.
 */
export function apiError(failure: ApiFailure): ModelError {
  const { status, headers } = failure;
  const whole = redactKey(textOf(failure), failure.apiKey);
  const message = sentenceOf(beginningOf(whole));
  const codes = (failure.codes ?? []).flatMap((code) =>
    typeof code === "string" && code !== "" ? [beginningOf(code)] : [],
  );
  const said = `${codes.join(" ")} ${message}`;
  const common = {
    provider: failure.provider,
    model: failure.model,
    status,
    requestId: failure.requestId ?? undefined,
    retryAfterMs: delayOf(failure, message),
    headers: headers === undefined ? undefined : redactHeaders(headers),
    body: failure.body === undefined ? undefined : redactKey(failure.body, failure.apiKey),
    // A refused request had no effect; one that failed halfway may have had one.
    mayHaveRun: status === undefined || status >= 500 || failure.partial !== undefined,
    partial: failure.partial,
    cause: redactCause(failure.cause, failure.apiKey),
  };
  if (!saysLargeMedia(said) && saysOverflow({ status, text: said })) {
    return new ContextOverflowError(
      `The request does not fit the context window of ${failure.model}: ${inShort(message, whole)}`,
      { ...common, ...overflowNumbers(message) },
    );
  }
  const kind = kindOf(status, codes, message, failure.quotaSpent);
  const where = `${failure.provider} ${failure.model}${status === undefined ? "" : `, status ${status}`}`;
  const sentence = inShort(message, whole);
  const advice = failure.advice === undefined ? kind.advice : `${kind.advice} ${failure.advice}`;
  const stop = advice === "" || /[.!?]$/.test(sentence) ? "" : ".";
  return new ModelApiError(kind.code, `${kind.what} (${where}): ${sentence}${stop}${advice}`, {
    ...common,
    retryable: vendorsWord(kind, headers) ?? kind.retryable,
  });
}

/** The delay that the vendor demands, tells, or implies by the reset of a limit. */
function delayOf({ status, headers, retryAfterMs: inBody }: ApiFailure, message: string): number | undefined {
  const demanded = headers === undefined ? undefined : retryAfterMs((name) => headers.get(name));
  if (demanded !== undefined || inBody !== undefined) return demanded ?? inBody;
  // An error inside a stream has no headers: only the message identifies it.
  const told = status === 429 || status === 503 ? toldDelayMs(message) : undefined;
  return told ?? (status === 429 && headers !== undefined ? resetDelayMs(headers) : undefined);
}

/** The vendor's text, without the status that SDKs put before it. */
function textOf({ message, status }: ApiFailure): string {
  if (typeof message !== "string") return JSON.stringify(message) ?? "";
  return message.startsWith(`${status} `) ? message.slice(4) : message;
}

/** The sentence of a vendor's text: a page of a proxy is reduced to its words. The text is bounded. */
function sentenceOf(text: string): string {
  if (!isPage(text)) return text;
  // A part that the bound cut open ends with the text.
  const words = text.replace(/<(style|script)\b[^]*?(?:<\/\1>|$)|<!--[^]*?(?:-->|$)|<[^>]*(?:>|$)/gi, " ");
  return words.replace(/\s+/g, " ").trim() || "a page without words";
}

/** Codes of failures that another attempt with the same key and account cannot fix, whatever a gateway reports. */
const lasting: ReadonlySet<string> = new Set([
  "MODEL_QUOTA_EXCEEDED",
  "MODEL_AUTHENTICATION_FAILED",
  "MODEL_NOT_FOUND",
]);

/** The vendor's header about retries, which its SDK obeys. */
function vendorsWord({ code }: Kind, headers: Headers | undefined): boolean | undefined {
  const word = headers?.get("x-should-retry");
  if (word === "false") return false;
  return word === "true" && !lasting.has(code) ? true : undefined;
}

/** Maximum length of a vendor's sentence in a message, in characters; some vendors answer with a page. */
const longestSentence = 1_000;

/** The beginning of the sentence, with the length of the whole text if anything is left out. */
function inShort(sentence: string, whole: string): string {
  const isWhole = sentence.length <= longestSentence && beginningOf(whole) === whole;
  if (isWhole) return sentence;
  return `${wellFormed(sentence.slice(0, longestSentence))}… (${whole.length} characters in all)`;
}

interface Kind {
  readonly code: string;
  readonly what: string;
  readonly advice: string;
  readonly retryable: boolean;
}

function kindOf(
  status: number | undefined,
  codes: readonly string[],
  message: string,
  quotaSpent: boolean | undefined,
): Kind {
  // Anthropic reports it with 400.
  const noCredit = status === 400 && /credit balance is too low/i.test(message);
  const mayBeQuota = status === 429 || status === undefined || status === 403 || noCredit;
  if (status === 402 || (mayBeQuota && (quotaSpent ?? saysQuota(codes, message)))) {
    return kind(
      "MODEL_QUOTA_EXCEEDED",
      "The account has no quota or credit left",
      " Top up or raise the limit.",
      false,
    );
  }
  if (saysLargeMedia(`${codes.join(" ")} ${message}`)) {
    return kind("MODEL_MEDIA_TOO_LARGE", "The vendor refused a file as too large", " Send a smaller one.", false);
  }
  if (codes.includes("tool_use_failed")) {
    return kind("MODEL_TOOL_CALL_INVALID", "The vendor rejected the tool call that its model wrote", "", true);
  }
  switch (meantStatus(status, codes)) {
    case 401:
    case 403:
      return kind("MODEL_AUTHENTICATION_FAILED", "The vendor refused the key", " Check the key and its rights.", false);
    case 404:
      return kind(
        "MODEL_NOT_FOUND",
        "The vendor does not know the model or path",
        " Check the model id and base URL.",
        false,
      );
    case 429:
      return kind("MODEL_RATE_LIMITED", "The vendor's rate limit was reached", " Send fewer requests at a time.", true);
    case 408:
    case 409:
    // Groq sends 498 when a service tier is at capacity.
    case 498:
      return kind("MODEL_API_ERROR", "The vendor could not answer at the moment", " Try again later.", true);
    default:
      return status !== undefined && status >= 500
        ? kind("MODEL_UNAVAILABLE", "The vendor's server failed", " Try again later.", true)
        : kind("MODEL_API_ERROR", "The vendor refused the request", "", false);
  }
}

/** True if a refusal names an image or a file that is too large, and not the whole request. */
function saysLargeMedia(said: string): boolean {
  const text = beginningOf(said);
  return (
    !/token|context/i.test(text) &&
    /(image|file|pdf|audio|video|document)s?[\s_](?:[a-z]+[\s_]){0,4}(exceeds?|(is |are )?too[\s_]large|larger than)/i.test(
      text,
    )
  );
}

/** The status that the vendor's own code means: some servers send 400 for a wrong key or model. */
function meantStatus(status: number | undefined, codes: readonly string[]): number | undefined {
  if (codes.includes("API_KEY_INVALID") || codes.includes("invalid_api_key")) return 401;
  return codes.includes("model_not_found") ? 404 : status;
}

function kind(code: string, what: string, advice: string, retryable: boolean): Kind {
  return { code, what, advice, retryable };
}

function saysQuota(codes: readonly string[], message: string): boolean {
  return codes.some((code) => quotaCodes.test(code)) || quotaTexts.test(message);
}
