/** An error in a vendor's terms, before it gets the vendor's shape. */
export interface WireError {
  readonly status: number;
  readonly message: string;
  /** The vendor's error type or status word. Default: the vendor's for `status`. */
  readonly type?: string | undefined;
  /** OpenAI's `code`. */
  readonly code?: string | null | undefined;
  /** OpenAI's `param`: which parameter is wrong. */
  readonly param?: string | null | undefined;
  /** Google's `details`. */
  readonly details?: readonly unknown[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The whole body, in place of the vendor's shape. */
  readonly body?: unknown;
}

/** A sentence for a status without a message in the script. */
export function defaultErrorMessage(status: number): string {
  switch (status) {
    case 401:
      return "The API key is not valid.";
    case 404:
      return "Not found.";
    case 408:
      return "The request timed out.";
    case 429:
      return "Rate limit reached. Please try again later.";
    case 503:
      return "The service is currently unavailable.";
    case 529:
      return "Overloaded";
    default:
      return status >= 500 ? "The server had an error while processing your request." : "The request was invalid.";
  }
}
