import { bodyBytes, ConfigurationError, requestWhole } from "@bailiwick/core";
import type { ByteStream, ModelRequest } from "@bailiwick/core";
import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import type { Compat } from "./compat.ts";
import { toModelError } from "./errors.ts";
import type { ModelContext } from "./model-context.ts";
import type { OpenAIOptions } from "./options.ts";

/** Sends requests as the official SDK does: its authentication, headers, URL and errors; none of its retries. */
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
    apiKey: bearer && typeof key === "string" ? key : "none",
    adminAPIKey: null,
    baseURL,
    organization: options.organization,
    project: options.project,
    timeout: options.timeoutMs,
    dangerouslyAllowBrowser: options.allowBrowser,
    defaultHeaders: options.headers,
  });
  const prepare = async (apiKey: string | undefined): Promise<Prepared> => {
    const { url, req, timeout } = await sdk.buildRequest({
      method: "post",
      path,
      body: {},
      headers: keyHeaders(bearer, apiKey),
    });
    return { url, headers: Object.fromEntries(req.headers), timeoutMs: timeout };
  };
  let usual: Promise<Prepared> | undefined;
  return {
    apiKey: typeof key === "string" ? key : undefined,
    async send(body, request, controller) {
      if (request.apiKey === undefined && key === undefined && compat.apiKeyVariable !== undefined) {
        throw new ConfigurationError(
          "API_KEY_MISSING",
          `No key for ${compat.provider}: set ${compat.apiKeyVariable}, or give openai() or the call an "apiKey".`,
        );
      }
      const own = request.apiKey ?? (typeof key === "function" ? await key() : undefined);
      // Nothing but the body differs between requests with the same key.
      const prepared = await (own === undefined
        ? (usual ??= prepare(bearer || typeof key !== "string" ? undefined : key))
        : prepare(own));
      return post(options.fetch ?? request.fetch ?? globalThis.fetch, prepared, JSON.stringify(body), controller);
    },
  };
}

/** What the SDK makes of a client for every request alike. */
interface Prepared {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

function keyHeaders(bearer: boolean, apiKey: string | undefined): Record<string, string | null> {
  if (!bearer) return { authorization: null, "api-key": apiKey ?? "" };
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

async function post(
  send: typeof globalThis.fetch,
  { url, headers, timeoutMs }: Prepared,
  body: string,
  controller: AbortController,
): Promise<Response> {
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, timeoutMs);
  let response: Response;
  try {
    response = await send(url, { method: "POST", headers, body, signal: controller.signal });
  } catch (error) {
    if (timedOut) throw new APIConnectionTimeoutError();
    throw new APIConnectionError({ cause: error instanceof Error ? error : new Error(String(error)) });
  } finally {
    clearTimeout(timer);
  }
  if (response.ok) return response;
  const text = await response.text();
  const parsed = parsedObject(text);
  throw APIError.generate(response.status, parsed, parsed === undefined ? text : undefined, response.headers);
}

function parsedObject(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
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
  return requestWhole(request, {
    apiKey: client.apiKey,
    async ask(controller) {
      const response = await client.send(body, request, controller);
      return read(JSON.parse(await response.text()), response.headers);
    },
    failure: (error, moment) => toModelError(error, context, moment),
  });
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
  return bodyBytes(await client.send(body, request, controller));
}

function environmentOf(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env ?? {};
}
