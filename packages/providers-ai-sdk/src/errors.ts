import {
  ConfigurationError,
  isJsonObject,
  isPage,
  jsonObjects,
  jsonText,
  ModelApiError,
  modelFailure,
  ModelResponseError,
} from "@bailiwick/core/provider";
import type { FailureMoment, StatusFailure } from "@bailiwick/core/provider";
import type { ModelContext } from "./model-context.ts";

/** An error inside a stream with status 200. */
export class StreamPartError extends Error {
  readonly error: unknown;

  constructor(error: unknown) {
    super(error instanceof Error ? error.message : jsonText(error) || JSON.stringify(error), { cause: error });
    this.error = error;
  }
}

/** The model that an error names. */
type FailingModel = Pick<ModelContext, "provider" | "modelId">;

/**
 * The typed error for any error of a call.
 *
 * @param error - The error of the AI SDK, of `fetch`, or of the adapter.
 * @param context - The model.
 * @param moment - Further facts about the request.
 */
export function toModelError(error: unknown, context: FailingModel, moment: FailureMoment): Error {
  const { provider, modelId } = context;
  return modelFailure(
    error,
    { provider, modelId, readFailure: (thrown) => readFailure(thrown, context, moment) },
    moment,
  );
}

/**
 * The typed error for a stream that could not be read, including frames that are incomplete or cannot be decoded.
 *
 * @param error - The error of the AI SDK's stream.
 * @param context - The model.
 * @param moment - Further facts about the request.
 */
export function brokenStream(error: unknown, context: ModelContext, moment: FailureMoment): Error {
  const failure = toModelError(error, context, moment);
  if (failure !== error) return failure;
  return new ModelResponseError(`The stream of ${context.modelId} could not be read: ${failure.message}`, {
    provider: context.provider,
    model: context.modelId,
    retryable: true,
    partial: moment.partial,
    cause: error,
  });
}

/** Statuses by vendors' error names, for errors without a number. */
const statusOfWord: readonly (readonly [RegExp, number])[] = [
  [/overloaded/i, 529],
  [/rate_?limit|throttl|too_?many|resource_exhausted/i, 429],
  [/auth|permission|access_?denied/i, 401],
  [/not_?found/i, 404],
  [/invalid_?(request|argument)|validation/i, 400],
  [/unavailable/i, 503],
];

function readFailure(
  error: unknown,
  context: FailingModel,
  moment: FailureMoment,
): StatusFailure | Error | "connection" | undefined {
  if (error instanceof StreamPartError) {
    const inner = error.error;
    if (isApiCallError(inner)) return apiFailure(inner, context, moment);
    if (inner instanceof Error && !hasStatus(inner)) {
      const known = ownFailure(inner, context, moment);
      if (known !== undefined) return known;
    }
    return partFailure(error);
  }
  if (isApiCallError(error)) return apiFailure(error, context, moment);
  return ownFailure(error, context, moment);
}

/** Errors that the AI SDK raises itself. */
function ownFailure(error: unknown, { provider, modelId }: FailingModel, moment: FailureMoment): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const common = { provider, model: modelId, cause: error, partial: moment.partial };
  const is = (...names: readonly string[]) => names.some((name) => isSdkError(error, name));
  if (is("AI_LoadAPIKeyError", "AI_LoadSettingError")) {
    return new ConfigurationError("API_KEY_MISSING", `${provider} has no key or setting: ${error.message}`, {
      cause: error,
    });
  }
  if (is("AI_UnsupportedFunctionalityError", "AI_InvalidPromptError", "AI_InvalidArgumentError")) {
    return new ModelApiError(
      "MODEL_API_ERROR",
      `The AI SDK refused the request to ${modelId}: ${error.message} Describe in the "capabilities" of aiSdk() what the model takes.`,
      { ...common, retryable: false, mayHaveRun: false },
    );
  }
  if (
    is(
      "AI_JSONParseError",
      "AI_TypeValidationError",
      "AI_InvalidResponseDataError",
      "AI_EmptyResponseBodyError",
      "AI_NoContentGeneratedError",
    )
  ) {
    return new ModelResponseError(`An answer of ${modelId} could not be read: ${error.message}`, {
      ...common,
      retryable: true,
    });
  }
  return undefined;
}

interface ApiCallError extends Error {
  readonly statusCode?: number | undefined;
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined;
  /** Text by its type; some packages return the parsed value. */
  readonly responseBody?: unknown;
}

function apiFailure(
  error: ApiCallError,
  { provider, modelId }: FailingModel,
  moment: FailureMoment,
): StatusFailure | Error | "connection" {
  const { statusCode: status, responseHeaders = {} } = error;
  const body = bodyText(error.responseBody);
  if (status === undefined) return "connection";
  if (status < 400) {
    return new ModelResponseError(`An answer of ${modelId} could not be read: ${error.message}`, {
      provider,
      model: modelId,
      status,
      body,
      retryable: !isPage(body),
      partial: moment.partial,
      cause: error,
    });
  }
  const said = parsed(body);
  const headers = new Headers(Object.entries(responseHeaders));
  const requestId = ["x-request-id", "request-id", "x-amzn-requestid", "x-goog-request-id"]
    .map((name) => headers.get(name))
    .find((id) => id !== null);
  const codes = codesOf(said);
  // Packages give status 400 to an error inside an answer with status 200; the error's own name is more precise.
  const limited = status === 400 && codes.some((code) => /insufficient_quota|rate_limit_exceeded/.test(code ?? ""));
  return {
    status: limited ? 429 : status,
    headers,
    requestId,
    codes,
    message: messageOf(said) ?? (body === undefined || body === "" ? error.message : body),
    retryAfterMs: retryDelay(said),
    quotaSpent: status === 429 ? isSpent(said) : undefined,
    body,
    cause: error,
  };
}

/** The delay that Google demands in the body, in milliseconds: a duration such as `34.4s`. */
function retryDelay({ error }: Readonly<Record<string, unknown>>): number | undefined {
  const info = jsonObjects(isJsonObject(error) ? error["details"] : undefined).find((one) => "retryDelay" in one);
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(jsonText(info?.["retryDelay"]))?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

/** Google reports "quota" for a limit per minute too; its details name the limit. */
function isSpent(said: Readonly<Record<string, unknown>>): boolean | undefined {
  const details = jsonObjects(isJsonObject(said["error"]) ? said["error"]["details"] : undefined);
  const quotas = details.flatMap((detail) => jsonObjects(detail["violations"]).map(({ quotaId }) => jsonText(quotaId)));
  if (quotas.some((quota) => /PerDay/i.test(quota))) return true;
  return quotas.some((quota) => quota !== "") || retryDelay(said) !== undefined ? false : undefined;
}

function bodyText(body: unknown): string | undefined {
  return body === undefined || typeof body === "string" ? body : JSON.stringify(body);
}

/** An error inside a stream; without a number or a known name, it is the vendor's fault. */
function partFailure(error: StreamPartError): StatusFailure {
  const inner = error.error;
  const said = isJsonObject(inner) ? inner : {};
  const codes = [...codesOf(said), inner instanceof Error ? inner.name : undefined];
  const words = codes.filter((code) => code !== undefined).join(" ");
  const status = numberOf(said) ?? statusOfWord.find(([word]) => word.test(words))?.[1] ?? 500;
  const message = messageOf(said) ?? error.message;
  return { status, codes, message, body: textOf(inner), cause: inner };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : (JSON.stringify(error) ?? String(error));
}

function numberOf(said: Readonly<Record<string, unknown>>): number | undefined {
  const error = isJsonObject(said["error"]) ? said["error"] : {};
  return [said["statusCode"], said["status"], said["code"], error["status"], error["code"]].find(
    (value): value is number => typeof value === "number" && value >= 400 && value < 600,
  );
}

function hasStatus(error: Error): boolean {
  return numberOf({ ...error }) !== undefined;
}

function parsed(body: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body ?? "");
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return isJsonObject(first) ? first : {};
  } catch {
    return {};
  }
}

function codesOf(said: Readonly<Record<string, unknown>>): readonly (string | undefined)[] {
  const error = isJsonObject(said["error"]) ? said["error"] : said;
  const details = jsonObjects(error["details"]);
  const own = [error["code"], error["type"], error["status"], error["__type"], ...details.map(({ reason }) => reason)];
  return own.map((code) => jsonText(code) || undefined);
}

function messageOf(said: Readonly<Record<string, unknown>>): unknown {
  const error = said["error"];
  if (typeof error === "string") return error;
  const own = isJsonObject(error) ? error : said;
  return own["message"] ?? own["Message"] ?? own["detail"];
}

/** The AI SDK marks its errors, so they are recognized across its versions. */
function isSdkError(error: unknown, name: string): error is Error {
  const marker = Symbol.for(`vercel.ai.error.${name}`);
  return error instanceof Error && (error as unknown as Readonly<Record<symbol, unknown>>)[marker] === true;
}

function isApiCallError(error: unknown): error is ApiCallError {
  return isSdkError(error, "AI_APICallError");
}
