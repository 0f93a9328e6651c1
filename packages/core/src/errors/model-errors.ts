import type { ModelResponse } from "../contracts/model-response.ts";
import { BailiwickError } from "./bailiwick-error.ts";

/** Facts about a failed model call. */
export interface ModelErrorOptions {
  /** Vendor of the model, such as `openai`. */
  readonly provider: string;
  /** Id of the model, if it is known. */
  readonly model?: string | undefined;
  /** HTTP status, when there was an answer. */
  readonly status?: number | undefined;
  /** The vendor's id of the request, from a header of the answer. */
  readonly requestId?: string | undefined;
  /** True if another attempt can help; the runner uses it for retries. */
  readonly retryable: boolean;
  /** Delay that the vendor demands, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Response headers, secrets redacted. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Response body, capped at 4,000 characters. */
  readonly body?: string | undefined;
  /** The error of the vendor's SDK or of `fetch`. */
  readonly cause?: unknown;
  /** The request may have reached the vendor: a hosted writer may have run. */
  readonly mayHaveRun?: boolean | undefined;
  /** The part of the answer that arrived before the failure, usage included; its message is marked `partial`. */
  readonly partial?: ModelResponse | undefined;
}

/** A model call failed. */
export class ModelError extends BailiwickError {
  /** Vendor of the model. */
  readonly provider: string;
  /** Id of the model. */
  readonly model: string | undefined;
  /** HTTP status of the answer. */
  readonly status: number | undefined;
  /** The vendor's id of the request; name it when you ask the vendor. */
  readonly requestId: string | undefined;
  /** Milliseconds that the vendor asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** Headers of the answer, without secrets. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Body of the answer, without the API key. */
  readonly body: string | undefined;
  /** True if the vendor may have executed the request. */
  readonly mayHaveRun: boolean;
  /** The part of the answer that arrived before the failure. */
  readonly partial: ModelResponse | undefined;

  /**
   * @param code - A stable code in capitals; those of the framework begin with `MODEL_`.
   * @param message - What the vendor answered, without keys.
   * @param options - The model, whether a retry may help, and the status of the answer.
   */
  constructor(code: string, message: string, options: ModelErrorOptions) {
    const { retryable } = options;
    super(code, message, "cause" in options ? { cause: options.cause, retryable } : { retryable });
    this.provider = options.provider;
    this.model = options.model;
    this.status = options.status;
    this.requestId = options.requestId;
    this.retryAfterMs = options.retryAfterMs;
    this.headers = options.headers;
    this.body = options.body?.slice(0, 4000);
    this.mayHaveRun = options.mayHaveRun ?? true;
    this.partial = options.partial;
  }
}

/** The vendor answered with an error status, or an error frame. Code `MODEL_API_ERROR` and finer ones. */
export class ModelApiError extends ModelError {}

/** The vendor could not be reached, or the connection broke. Code `MODEL_CONNECTION_ERROR`. */
export class ModelConnectionError extends ModelError {
  /**
   * @param message - The reason why no answer arrived.
   * @param options - The model, and whether a retry may help.
   */
  constructor(message: string, options: ModelErrorOptions) {
    super("MODEL_CONNECTION_ERROR", message, options);
  }
}

/** A stream ended without its terminal event, or an answer could not be read. Code `MODEL_RESPONSE_INVALID`. */
export class ModelResponseError extends ModelError {
  /**
   * @param message - The part of the answer that cannot be read.
   * @param options - The model, and whether a retry may help.
   */
  constructor(message: string, options: ModelErrorOptions) {
    super("MODEL_RESPONSE_INVALID", message, options);
  }
}

/** Facts about a request that is too long. */
export interface ContextOverflowOptions extends Omit<ModelErrorOptions, "retryable"> {
  /** Maximum number of tokens, as the vendor said. */
  readonly maximumTokens?: number | undefined;
  /** Input tokens that the request had, as the vendor counted them. */
  readonly actualTokens?: number | undefined;
}

/** The request does not fit the model's context window, however the vendor said so. */
export class ContextOverflowError extends ModelError {
  /** Maximum number of tokens, if the vendor said it. */
  readonly maximumTokens: number | undefined;
  /** Input tokens of the request, if the vendor said how many it counted. */
  readonly actualTokens: number | undefined;

  /**
   * @param message - What the vendor answered.
   * @param options - The model, the status of the answer, and the vendor's numbers. A retry of the same request cannot
   *   help.
   */
  constructor(message: string, options: ContextOverflowOptions) {
    super("CONTEXT_OVERFLOW", message, { ...options, retryable: false });
    this.maximumTokens = options.maximumTokens;
    this.actualTokens = options.actualTokens;
  }
}

/** A model sent nothing for too long, or a turn took too long. */
export class ModelTimeoutError extends ModelError {
  /** Name of the time-out: `turn`, `first_chunk`, `idle_chunk`. */
  readonly timeout: string;

  /**
   * @param timeout - The limit that was reached: the whole turn, the first chunk, or the time between chunks.
   * @param message - The limit in milliseconds, and the option that sets it.
   * @param options - The model, and whether a retry may help.
   */
  constructor(timeout: "turn" | "first_chunk" | "idle_chunk", message: string, options: ModelErrorOptions) {
    super("MODEL_TIMEOUT", message, options);
    this.timeout = timeout;
  }
}

/** The call was cancelled by its signal; `cause` is the signal's reason. Code `MODEL_ABORTED`. */
export class ModelAbortedError extends ModelError {
  /**
   * @param message - Says that the signal ended the request.
   * @param options - The model. An aborted request is not retried.
   */
  constructor(message: string, options: Omit<ModelErrorOptions, "retryable">) {
    super("MODEL_ABORTED", message, { ...options, retryable: false });
  }
}
