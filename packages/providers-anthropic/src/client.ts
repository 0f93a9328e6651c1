import { ConfigurationError, modelTimeouts } from "@bailiwick/core/provider";
import type { ModelRequest, ModelTimeouts } from "@bailiwick/core/provider";
import Anthropic, { type BaseAnthropic } from "@anthropic-ai/sdk";
import { samplingVersion, type SamplingVersion } from "./api-version.ts";
import { mergeBetas } from "./betas.ts";
import type { AnthropicOptions } from "./options.ts";

/** The features that a request asks for in its headers. */
export interface RequestAsks {
  readonly betas: readonly string[];
  /** `undefined`: the version of all other requests. */
  readonly apiVersion: string | undefined;
}

/**
 * Sends requests through the official SDK, with its authentication, headers, URL and errors, but without its retries.
 */
export interface Client {
  /**
   * Sends a request and returns the vendor's response before its body is read.
   *
   * @param body - The request's body.
   * @param asks - Beta features that it uses, and the API version that it needs.
   * @param request - Its key overrides the provider's; its `fetch` is used unless the provider or its client has one.
   * @param controller - Cancels the request.
   * @throws APIError of the SDK for an error status.
   */
  send(
    body: object,
    asks: RequestAsks,
    request: Pick<ModelRequest, "apiKey" | "fetch">,
    controller: AbortController,
  ): Promise<Response>;
  /** The form in which the API version accepts sampling settings. */
  readonly sampling: SamplingVersion;
  /** The key, if it is known, so that it can be removed from messages. */
  readonly apiKey: string | undefined;
  /** Time limits of a streamed answer. */
  readonly timeouts: ModelTimeouts;
}

const clientsOwn = ["apiKey", "baseURL", "headers", "fetch", "timeoutMs", "allowBrowser"] as const;

/**
 * Makes the client of a model.
 *
 * @param options - The user's options.
 * @throws ConfigurationError `CLIENT_CONFLICT`, `INVALID_OPTION`.
 */
export function createClient(options: AnthropicOptions): Client {
  const { client, maxContinuations } = options;
  const conflict = client === undefined ? undefined : clientsOwn.find((name) => options[name] !== undefined);
  if (conflict !== undefined) {
    throw new ConfigurationError(
      "CLIENT_CONFLICT",
      `"${conflict}" has no effect beside "client": set it on the client itself.`,
    );
  }
  if (maxContinuations !== undefined && (!Number.isInteger(maxContinuations) || maxContinuations < 0)) {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `"maxContinuations" is ${maxContinuations}: give a whole number of 0 or more.`,
    );
  }
  const sdk = client ?? ownClient(options);
  const own = defaultHeaders(sdk);
  const chosen = options.apiVersion ?? own.get("anthropic-version") ?? undefined;
  return {
    apiKey: sdk.apiKey ?? undefined,
    timeouts: modelTimeouts(sdk.baseURL, options.timeoutMs),
    // Clients of other platforms sign their requests, and lack features that their platform does not have.
    sampling: samplingVersion(chosen, isFirstParty(sdk)),
    async send(body, { betas, apiVersion = options.apiVersion }, request, controller) {
      const merged = mergeBetas([own.get("anthropic-beta") ?? ""], betas);
      const headers = {
        ...(apiVersion === undefined ? {} : { "anthropic-version": apiVersion }),
        ...(merged === undefined ? {} : { "anthropic-beta": merged }),
        ...(request.apiKey ? keyHeaders(sdk, request.apiKey) : {}),
      };
      // A client passed by the caller keeps its own `fetch`, which does not read the controller.
      const cancel =
        client === undefined
          ? { fetchOptions: { [ownController]: controller, [agentFetch]: request.fetch } as object }
          : { signal: controller.signal };
      return sdk.post("/v1/messages", { body, maxRetries: 0, headers, ...cancel }).asResponse();
    },
  };
}

function ownClient(options: AnthropicOptions): Anthropic {
  return new Anthropic({
    ...(options.apiKey ? { apiKey: options.apiKey } : {}),
    ...(options.baseURL === undefined ? {} : { baseURL: options.baseURL }),
    maxRetries: 0,
    timeout: modelTimeouts(options.baseURL, options.timeoutMs).firstChunkMs,
    fetch: withOwnSignal(options.fetch),
    dangerouslyAllowBrowser: options.allowBrowser,
    defaultHeaders: options.headers,
  });
}

/** Headers of a request replace the client's own, so that the client's have to be repeated. */
function defaultHeaders(sdk: BaseAnthropic): Headers {
  const given = (sdk as unknown as { _options?: { defaultHeaders?: unknown } })._options?.defaultHeaders;
  try {
    return new Headers((given ?? {}) as Record<string, string>);
  } catch {
    return new Headers();
  }
}

function isFirstParty(sdk: BaseAnthropic): boolean {
  return "models" in sdk;
}

function keyHeaders(sdk: BaseAnthropic, apiKey: string): Record<string, string | null> {
  if (!isFirstParty(sdk)) {
    throw new ConfigurationError(
      "API_KEY_UNSUPPORTED",
      "A key for one call cannot be used with a client of another platform: make a model with a client for that key.",
    );
  }
  return { authorization: `Bearer ${apiKey}`, "x-api-key": null };
}

/** The key of a request's own controller among the options that the SDK passes on. */
const ownController = "bailiwickController";
/** The key of the agent's HTTP client there. */
const agentFetch = "bailiwickFetch";

/**
 * Gives `fetch` the request's own signal instead of the SDK's, which only its time-out aborts. With the SDK's signal,
 * the SDK would create the body's web stream, which a lean `fetch` only creates on demand.
 */
function withOwnSignal(fetch: typeof globalThis.fetch | undefined): typeof globalThis.fetch {
  return (input, init) => {
    const {
      [ownController]: own,
      [agentFetch]: lean,
      signal,
      ...rest
    } = init as RequestInit & {
      readonly [ownController]?: AbortController;
      readonly [agentFetch]?: typeof globalThis.fetch;
    };
    const send = fetch ?? lean ?? globalThis.fetch;
    if (own === undefined) return send(input, init);
    signal?.addEventListener("abort", () => own.abort(signal.reason), { once: true });
    return send(input, { ...rest, signal: own.signal });
  };
}
