import type { GoogleGenAIOptions, SafetySetting } from "@google/genai";
import type { Logger, ModelCapabilities } from "@bailiwick/core/provider";

/** Options of {@link google}: address, key and transport. */
export interface GoogleOptions {
  /** Key, or a function that fetches one for each request. Default: `GOOGLE_API_KEY`, then `GEMINI_API_KEY`. */
  readonly apiKey?: string | (() => Promise<string>) | undefined;
  /** Default: `GOOGLE_GEMINI_BASE_URL` (for Vertex AI `GOOGLE_VERTEX_BASE_URL`), then the vendor's. */
  readonly baseURL?: string | undefined;
  /** Version of the API in the path. Default: the SDK's. */
  readonly apiVersion?: string | undefined;
  /** Use Vertex AI. Default: the value of `GOOGLE_GENAI_USE_VERTEXAI`, else `false`. */
  readonly vertexai?: boolean | undefined;
  /** Google Cloud project, for Vertex AI. Default: `GOOGLE_CLOUD_PROJECT`. */
  readonly project?: string | undefined;
  /** Google Cloud location, for Vertex AI. Default: `GOOGLE_CLOUD_LOCATION`, then `global`. */
  readonly location?: string | undefined;
  /** Credentials of the SDK for Google Cloud (Vertex AI on Node). Default: the machine's own credentials. */
  readonly googleAuthOptions?: GoogleGenAIOptions["googleAuthOptions"] | undefined;
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The HTTP client. Default: the agent's, then the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Time limit of one request, including its body, in milliseconds; default none. The runner has the time limits of a
   * run.
   */
  readonly timeoutMs?: number | undefined;
  /** The published id of the model, if `modelId` is your own name: an endpoint, or a tuned model. */
  readonly knownAs?: string | undefined;
  /** Capabilities of the model, if the table of models does not have it. */
  readonly capabilities?: Partial<ModelCapabilities> | undefined;
  /**
   * Sends schemas as `parameters` and `responseSchema`, Google's subset of OpenAPI, to a backend without
   * `parametersJsonSchema`. Default `false`.
   */
  readonly openApiSchemas?: boolean | undefined;
  /** Called with vendor events that this version does not know. */
  readonly logger?: Logger | undefined;
}

/** A complete list, checked by the compiler: a missing option would be refused as unknown. */
const names: { readonly [Name in keyof Required<GoogleOptions>]: true } = {
  apiKey: true,
  baseURL: true,
  apiVersion: true,
  vertexai: true,
  project: true,
  location: true,
  googleAuthOptions: true,
  headers: true,
  fetch: true,
  timeoutMs: true,
  knownAs: true,
  capabilities: true,
  openApiSchemas: true,
  logger: true,
};

/** Names of the options of a model. */
export const optionNames: readonly string[] = Object.keys(names);

/** Settings of one call, under `providerOptions.google`. */
export interface GoogleCallOptions {
  /** The vendor's filters and their thresholds. */
  readonly safetySettings?:
    | readonly {
        readonly category: `${NonNullable<SafetySetting["category"]>}`;
        readonly threshold: `${NonNullable<SafetySetting["threshold"]>}`;
      }[]
    | undefined;
  /**
   * Name of an existing cache, such as `cachedContents/abc`; it contains instructions and tools, which are not sent
   * again.
   */
  readonly cachedContent?: string | undefined;
  /** Vertex AI only: labels for billing. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The vendor's service tier of the call. */
  readonly serviceTier?: "standard" | "flex" | "priority" | undefined;
  /** Sampling from the k likeliest tokens. */
  readonly topK?: number | undefined;
  /** Makes answers repeatable, as far as the vendor supports it. */
  readonly seed?: number | undefined;
  /** Lowers the chance of tokens that the answer already has. */
  readonly presencePenalty?: number | undefined;
  /** Lowers the chance of tokens by how often the answer already has them. */
  readonly frequencyPenalty?: number | undefined;
  /** Log probabilities of the chosen tokens; they are in `raw`. */
  readonly responseLogprobs?: boolean | undefined;
  /** Number of the likeliest tokens that are returned for each position; needs `responseLogprobs`. */
  readonly logprobs?: number | undefined;
  /** Kinds of output, such as `["TEXT", "IMAGE"]`. */
  readonly responseModalities?: readonly ("TEXT" | "IMAGE" | "AUDIO")[] | undefined;
  /** Shape and size of pictures, as the vendor writes it: `{ aspectRatio: "16:9" }`. */
  readonly imageConfig?: Readonly<Record<string, unknown>> | undefined;
  /** Voice of spoken answers, as the vendor writes it. */
  readonly speechConfig?: Readonly<Record<string, unknown>> | undefined;
  /** Resolution at which the model sees media. */
  readonly mediaResolution?: "MEDIA_RESOLUTION_LOW" | "MEDIA_RESOLUTION_MEDIUM" | "MEDIA_RESOLUTION_HIGH" | undefined;
  /** Vertex AI only: arguments of calls are streamed in pieces, from Gemini 3 on. Default: each call arrives whole. */
  readonly streamFunctionCallArguments?: boolean | undefined;
  /** The user's place, for search and maps, in the vendor's form. */
  readonly retrievalConfig?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Sent unchanged, for fields that this version does not know. Has precedence over everything else;
   * `generationConfig` is merged.
   */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Typed `providerOptions` of a call.
 *
 * @param options - The settings.
 * @example
 * ```ts
 * import { google, googleOptions } from "@bailiwick/providers-google";
 *
 * export const ask = (text: string) =>
 *   google("gemini-3-pro").generate({
 *     messages: [{ id: "m1", role: "user", content: text }],
 *     providerOptions: googleOptions({
 *       safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_ONLY_HIGH" }],
 *     }),
 *   });
 * ```
 */
export function googleOptions(options: GoogleCallOptions): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return { google: { ...options } };
}
