import { answerJson, bodyBytes, ConfigurationError, modelTimeouts, requestWhole } from "@bailiwick/core/provider";
import type { ByteStream, ModelRequest, ModelTimeouts } from "@bailiwick/core/provider";
import { GoogleGenAI } from "@google/genai";
import type { GoogleGenAIOptions } from "@google/genai";
import { FailedAnswerError, toModelError } from "./errors.ts";
import type { ModelContext } from "./model-context.ts";
import type { GoogleOptions } from "./options.ts";

/**
 * Sends requests through the official SDK, with its authentication, headers, URL and errors, but without its retries.
 */
export interface Client {
  /**
   * Sends a request and returns the vendor's response before its body is read.
   *
   * @param method - `generateContent`, `streamGenerateContent` for server-sent events, or a method for vectors.
   * @param body - The request's body.
   * @param request - The key and the HTTP client of the call.
   * @param controller - Cancels the request.
   * @throws FailedAnswerError for an error status.
   */
  send(
    method: "generateContent" | "streamGenerateContent" | "batchEmbedContents" | "predict",
    body: object,
    request: Pick<ModelRequest, "apiKey" | "fetch">,
    controller: AbortController,
  ): Promise<Response>;
  /** The vendor whose API the SDK calls. */
  readonly api: "generate" | "vertex";
  /** The key, if it is known, so that it can be removed from messages. */
  readonly apiKey: string | undefined;
  /** Time limits of an answer; the first one holds for the first byte too. */
  readonly timeouts: Readonly<Record<keyof ModelTimeouts, number>>;
}

/**
 * The SDK's own client. Its `models` read answers into objects event by event, with their own decoder; the client
 * below them returns the raw answer.
 */
class RawGoogleGenAI extends GoogleGenAI {
  async post(request: Omit<Parameters<GoogleGenAI["apiClient"]["request"]>[0], "httpMethod">): Promise<Response> {
    return (await this.apiClient.request({ ...request, httpMethod: "POST" })).responseInternal;
  }
}

/** The header that carries a key. */
const keyHeader = "x-goog-api-key";
/** Placeholder for the SDK; the real key is set on each request. */
const noKey = "none";

/**
 * Makes the client of a model.
 *
 * @param modelId - The model.
 * @param options - The user's options.
 * @throws ConfigurationError `INVALID_OPTION` if the SDK does not accept the options together.
 */
export function createClient(modelId: string, options: GoogleOptions): Client {
  const environment = environmentOf();
  const vertex = options.vertexai ?? usesVertex(environment);
  const named = vertex ? undefined : environment["GOOGLE_API_KEY"] || environment["GEMINI_API_KEY"];
  const key = options.apiKey || named || undefined;
  const sdk = createSdk(options, vertex, key);
  const path = modelPath(modelId, vertex);
  const signsIn = vertex && key === undefined;
  const timeouts = modelTimeouts(options.baseURL, options.timeoutMs);

  const headersFor = async (apiKey: string | undefined): Promise<Record<string, string>> => {
    if (apiKey !== undefined && signsIn) {
      throw new ConfigurationError(
        "API_KEY_UNSUPPORTED",
        "A key for one call cannot be used where the SDK signs in at Google Cloud: make a model with that key.",
      );
    }
    if (apiKey === undefined && key === undefined && !signsIn) {
      throw new ConfigurationError(
        "API_KEY_MISSING",
        'No key for google: set GEMINI_API_KEY, or give google() or the call an "apiKey".',
      );
    }
    const value = apiKey ?? (typeof key === "function" ? await key() : undefined);
    return value === undefined ? {} : { [keyHeader]: value };
  };
  return {
    api: vertex ? "vertex" : "generate",
    apiKey: typeof key === "string" ? key : undefined,
    timeouts,
    async send(method, body, request, controller) {
      const send = options.fetch ?? request.fetch ?? globalThis.fetch;
      let answer: Response | undefined;
      try {
        return await sdk.post({
          path: `${path}:${method}`,
          ...(method === "streamGenerateContent" ? { queryParams: { alt: "sse" } } : {}),
          body: JSON.stringify(body),
          abortSignal: controller.signal,
          httpOptions: {
            headers: await headersFor(request.apiKey || undefined),
            fetch: async (...given: Parameters<typeof globalThis.fetch>) => {
              const timer = setTimeout(() => controller.abort(), timeouts.firstChunkMs);
              try {
                return (answer = await send(...given));
              } finally {
                clearTimeout(timer);
              }
            },
          },
        });
      } catch (error) {
        // The SDK's errors have the body, but not the headers.
        throw answer === undefined || answer.ok ? error : new FailedAnswerError(answer.status, answer.headers, error);
      }
    },
  };
}

function createSdk(options: GoogleOptions, vertex: boolean, key: GoogleOptions["apiKey"]): RawGoogleGenAI {
  const given: GoogleGenAIOptions = {
    vertexai: vertex,
    ...(vertex && key === undefined ? {} : { apiKey: typeof key === "string" ? key : noKey }),
    ...(options.project === undefined ? {} : { project: options.project }),
    ...(options.location === undefined ? {} : { location: options.location }),
    ...(options.apiVersion === undefined ? {} : { apiVersion: options.apiVersion }),
    ...(options.googleAuthOptions === undefined ? {} : { googleAuthOptions: options.googleAuthOptions }),
    httpOptions: {
      ...(options.baseURL === undefined ? {} : { baseUrl: options.baseURL }),
      ...(options.headers === undefined ? {} : { headers: { ...options.headers } }),
      ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
    },
  };
  try {
    return new RawGoogleGenAI(given);
  } catch (error) {
    throw new ConfigurationError("INVALID_OPTION", `google() cannot use its options: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** The model as a path in the form of each API; a full resource name is unchanged. */
function modelPath(modelId: string, vertex: boolean): string {
  const prefixes = vertex ? /^(publishers|projects|models)\// : /^(models|tunedModels)\//;
  if (prefixes.test(modelId)) return modelId;
  if (!vertex) return `models/${modelId}`;
  const slash = modelId.indexOf("/");
  return slash === -1
    ? `publishers/google/models/${modelId}`
    : `publishers/${modelId.slice(0, slash)}/models/${modelId.slice(slash + 1)}`;
}

/**
 * Requests a whole answer: the parsed body and its headers.
 *
 * @param client - Where to.
 * @param context - The model.
 * @param request - Signal and key.
 * @param body - The request's body.
 * @param read - Makes the answer from the body; its errors become typed errors too.
 */
export async function requestJson<T>(
  client: Client,
  context: ModelContext,
  request: ModelRequest,
  body: object,
  read: (answer: unknown) => T,
): Promise<T> {
  return requestWhole(request, {
    apiKey: client.apiKey,
    async ask(controller) {
      const response = await client.send("generateContent", body, request, controller);
      return read(answerJson(await response.text()));
    },
    failure: (error, moment) => toModelError(error, context, moment),
  });
}

/**
 * Requests a streamed answer: its body, undecoded.
 *
 * @param client - Where to.
 * @param body - The request's body.
 * @param request - The key.
 * @param controller - Cancels the request.
 */
export async function streamBody(
  client: Client,
  body: object,
  request: ModelRequest,
  controller: AbortController,
): Promise<ByteStream> {
  return bodyBytes(await client.send("streamGenerateContent", body, request, controller));
}

/** Variables that the SDK also reads; read here to find out which key is used. */
function usesVertex(environment: Readonly<Record<string, string | undefined>>): boolean {
  const flag = environment["GOOGLE_GENAI_USE_ENTERPRISE"] ?? environment["GOOGLE_GENAI_USE_VERTEXAI"];
  return flag?.trim().toLowerCase() === "true";
}

function environmentOf(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env ?? {};
}
