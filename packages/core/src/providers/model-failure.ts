import type { ModelResponse } from "../contracts/model-response.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { ModelAbortedError, ModelConnectionError, ModelError, ModelResponseError } from "../errors/model-errors.ts";
import { PageError } from "./answer-json.ts";
import { apiError, type ApiFailure } from "./api-error.ts";

/** Facts about the time of a failure. */
export interface FailureMoment {
  /** The request's key, to keep it out of messages. */
  readonly apiKey?: string | undefined;
  /** The part of the answer that had arrived. */
  readonly partial?: ModelResponse | undefined;
  /** The request's signal caused it. */
  readonly aborted?: boolean | undefined;
  /** The signal's reason. */
  readonly reason?: unknown;
}

/** The error of a vendor's SDK for a response with an error status. */
export type StatusFailure = Omit<ApiFailure, "provider" | "model" | "apiKey" | "partial">;

/** An adapter's knowledge about its vendor's failures. */
export interface FailingModel {
  /** Vendor, such as `openai`. */
  readonly provider: string;
  /** Id of the requested model. */
  readonly modelId: string;
  /**
   * Reads an error of the vendor's SDK: a failure that the vendor reported, an error to throw unchanged, or
   * `"connection"` if no answer came. `undefined` for other errors.
   */
  readonly readFailure: (error: unknown) => StatusFailure | Error | "connection" | undefined;
}

/**
 * The typed error for any error of a request: by the vendor's SDK, by `fetch`, or in the adapter. Other errors are
 * returned unchanged, as are our own errors inside an SDK's error.
 *
 * @param error - The thrown value.
 * @param model - The model, and how its vendor fails.
 * @param moment - Other facts about the request.
 */
export function modelFailure(error: unknown, model: FailingModel, moment: FailureMoment): Error {
  const { provider, modelId } = model;
  const common = { provider, model: modelId, partial: moment.partial, cause: error };
  if (moment.aborted === true) {
    return new ModelAbortedError(`The call to ${modelId} was aborted.`, { ...common, cause: moment.reason ?? error });
  }
  const own = causesOf(error).find((one) => one instanceof ModelError || one instanceof ConfigurationError);
  if (own !== undefined) return own;
  const said = model.readFailure(error);
  if (said instanceof Error) return said;
  if (typeof said === "object") {
    return apiError({ ...common, ...said, apiKey: moment.apiKey });
  }
  if (said === "connection" || isConnectionFailure(error)) {
    const reason = chainOfMessages(error);
    const refused = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ECONNABORTED/.test(reason);
    return new ModelConnectionError(
      `The connection to ${provider} failed: ${reason}. Check the network and the base URL.`,
      { ...common, retryable: true, mayHaveRun: !refused },
    );
  }
  if (error instanceof SyntaxError) {
    return new ModelResponseError(
      `The answer of ${modelId} is not JSON: ${error.message}. Check the base URL, and any proxy in between.`,
      {
        ...common,
        retryable: !(error instanceof PageError),
      },
    );
  }
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}

/** Each `fetch` words a failed connection differently; a TypeError of our own code has another text. */
function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // An abort that the caller did not request is a time-out of the HTTP client.
  if (error.name === "AbortError" || error.name === "TimeoutError") return true;
  if ("code" in error && /^(E[A-Z]+|UND_ERR)/.test(String(error.code))) return true;
  return (
    error instanceof TypeError &&
    (error.cause !== undefined || /terminated|fetch|network|load failed|socket/i.test(error.message))
  );
}

/** Texts of an SDK and of `fetch` that hide the reason, which is the message of their cause. */
const wrapper = /^(Connection error\.|fetch failed)?$/;

/** The messages of an error and its causes, without those that only wrap a reason. */
function chainOfMessages(error: unknown): string {
  const parts = causesOf(error).map((one) => {
    const code = "code" in one && typeof one.code === "string" ? one.code : "";
    return one.message.includes(code) ? one.message : `${code} ${one.message}`.trim();
  });
  const texts = new Set(
    parts.filter((part, index) => !wrapper.test(part) || (part !== "" && index === parts.length - 1)),
  );
  return [...texts].join(": ").replace(/\.$/, "") || String(error);
}

/** An error with its causes: an SDK wraps the errors of `fetch`, including our own. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  let current = error;
  while (current instanceof Error && causes.length < 5) {
    causes.push(current);
    current = current.cause;
  }
  return causes;
}
