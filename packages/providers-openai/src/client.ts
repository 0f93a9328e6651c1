import { ConfigurationError, linkSignal } from "@bailiwick/core";
import type { ByteStream, ModelRequest } from "@bailiwick/core";
import OpenAI from "openai";
import type { Compat } from "./compat.ts";
import { toModelError } from "./errors.ts";
import type { ModelContext } from "./model-context.ts";
import type { OpenAIOptions } from "./options.ts";

/** Sends requests through the official SDK: its authentication, headers, URL and errors; none of its retries. */
export interface Client {
  /**
   * Sends a request and gives the answer as the vendor sent it, before its body is read.
   *
   * @param body - The request's body.
   * @param request - Its key overrides the provider's; its `fetch` is used unless the provider has one.
   * @param controller - Cancels the request.
   * @throws APIError of the SDK for an error status.
   */
  send(body: object, request: Pick<ModelRequest, "apiKey" | "fetch">, controller: AbortController): Promise<Response>;
  /** The key as far as it is known, to keep it out of messages. */
  readonly apiKey: string | undefined;
}

/**
 * Makes the client of a model.
 *
 * @param options - What the user gave.
 * @param compat - The server.
 * @param path - Path of the wire, such as `/responses`.
 */
export function createClient(options: OpenAIOptions, compat: Compat, path: string): Client {
  const environment = environmentOf();
  const key = options.apiKey ?? (compat.apiKeyVariable === undefined ? undefined : environment[compat.apiKeyVariable]);
  const baseURL =
    options.baseURL ?? (compat.provider === "openai" ? environment["OPENAI_BASE_URL"] : undefined) ?? compat.baseURL;
  if (baseURL === undefined && compat.provider !== "openai") {
    throw new ConfigurationError(
      "BASE_URL_MISSING",
      `The server "${compat.provider}" has no default address: give openai() a "baseURL".`,
    );
  }
  const bearer = compat.keyHeader === "authorization";
  const sdk = new OpenAI({
    // A server that needs no key gets a word in its place; the header must not be empty.
    apiKey: bearer ? (key ?? "none") : "none",
    adminAPIKey: null,
    baseURL,
    organization: options.organization,
    project: options.project,
    maxRetries: 0,
    timeout: options.timeoutMs,
    fetch: withOwnSignal(options.fetch),
    dangerouslyAllowBrowser: options.allowBrowser,
    defaultHeaders: options.headers,
  });
  const headersFor = async (apiKey: string | undefined): Promise<Record<string, string | null> | undefined> => {
    if (apiKey === undefined && key === undefined && compat.apiKeyVariable !== undefined) {
      throw new ConfigurationError(
        "API_KEY_MISSING",
        `No key for ${compat.provider}: set ${compat.apiKeyVariable}, or give openai() or the call an "apiKey".`,
      );
    }
    if (bearer) return apiKey === undefined ? undefined : { authorization: `Bearer ${apiKey}` };
    const value = apiKey ?? (typeof key === "function" ? await key() : key);
    return { authorization: null, "api-key": value ?? "" };
  };
  return {
    apiKey: typeof key === "string" ? key : undefined,
    async send(body, { apiKey, fetch }, controller) {
      const headers = await headersFor(apiKey);
      const fetchOptions = { [ownController]: controller, [agentFetch]: fetch } as object;
      return sdk.post(path, { body, maxRetries: 0, headers: headers ?? {}, fetchOptions }).asResponse();
    },
  };
}

/**
 * Asks for a whole answer: the parsed body and its headers.
 *
 * @param client - Where to.
 * @param context - The model.
 * @param request - Signal and key.
 * @param body - The request's body.
 * @param read - Makes the answer of the body; what it throws is made a typed error too.
 */
export async function requestJson<T>(
  client: Client,
  context: ModelContext,
  request: ModelRequest,
  body: object,
  read: (answer: unknown, headers: Headers) => T,
): Promise<T> {
  const link = linkSignal(request.signal);
  try {
    const response = await client.send(body, request, link.controller);
    return read(JSON.parse(await response.text()), response.headers);
  } catch (error) {
    throw toModelError(error, context, {
      apiKey: request.apiKey ?? client.apiKey,
      aborted: request.signal?.aborted === true,
      reason: request.signal?.reason,
    });
  } finally {
    link.release();
  }
}

/**
 * Asks for a streamed answer: its body, undecoded.
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
  const response: Response & { bodyChunks?: () => AsyncIterable<Uint8Array> } = await client.send(
    body,
    request,
    controller,
  );
  // A lean fetch has the chunks at hand, without a web stream between.
  return response.bodyChunks?.() ?? response.body ?? new Blob([]).stream();
}

/** Where a request's own controller stands among the options that the SDK hands on. */
const ownController = "bailiwickController";
/** Where the agent's HTTP client stands there. */
const agentFetch = "bailiwickFetch";

/**
 * Gives `fetch` the request's own signal in place of the SDK's, which only its time-out aborts. Told of the signal
 * itself, the SDK would hold on to the body's web stream, and a lean `fetch` makes one only when it is asked for.
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

function environmentOf(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env ?? {};
}
