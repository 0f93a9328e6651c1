/** An error answer in neutral terms; each wire converts it to the vendor's shape. */
export interface ScriptError {
  /** HTTP status that the vendor gives this error. */
  readonly status: number;
  /** The vendor's error type or status word. Default: the vendor's for `status`. */
  readonly type?: string | undefined;
  /** OpenAI only: the error's `code`. */
  readonly code?: string | undefined;
  /** Default: a plain sentence for the status. */
  readonly message?: string | undefined;
  /** Seconds to wait: a `retry-after` header, and for Gemini a `RetryInfo` detail. */
  readonly retryAfterSeconds?: number | undefined;
  /** Further response headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The whole body, verbatim, instead of the vendor's form. A string is sent unchanged. */
  readonly body?: unknown;
}

/** Faults of one answer. Faults can be combined; `error` excludes those that need a stream. */
export interface ScriptFaults {
  /** Wait before anything is sent, in milliseconds. */
  readonly delayMs?: number | undefined;
  /** Wait before each event of a stream, in milliseconds; a JSON answer is one event. */
  readonly delayPerEventMs?: number | undefined;
  /** Answer with an HTTP error. */
  readonly error?: ScriptError | undefined;
  /** Answer that the request does not fit the context window, which every wire and adapter knows. Excludes `error`. */
  readonly contextOverflow?: boolean | undefined;
  /** Stream only: an error frame inside the 200 stream after this many events; then the stream ends. */
  readonly errorFrame?: { readonly afterEvents: number; readonly error: ScriptError } | undefined;
  /** Stream only: a line of garbage instead of an event's data, after this many events. */
  readonly garbage?: { readonly afterEvents: number; readonly line: string } | undefined;
  /** Break the connection after this many events. */
  readonly cutAfterEvents?: number | undefined;
  /** Break the connection after this many bytes of the body. */
  readonly cutAfterBytes?: number | undefined;
  /** Stream only: end cleanly, without the event that closes an answer. */
  readonly omitTerminal?: boolean | undefined;
  /** Sends nothing more after this many events (0: not even headers) until the client aborts or the server closes. */
  readonly hangAfterEvents?: number | undefined;
}
