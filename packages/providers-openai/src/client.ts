import {
  answerJson,
  bodyBytes,
  ConfigurationError,
  isJsonObject,
  modelTimeouts,
  requestWhole,
} from "@bailiwick/core/provider";
import type { ByteStream, ModelRequest, ModelTimeouts } from "@bailiwick/core/provider";
import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai/core/error";
import { isBrowser } from "./browser.ts";
import type { Compat } from "./server-record.ts";
import { toModelError } from "./errors.ts";
import type { ModelContext } from "./model-context.ts";
import type { OpenAIOptions } from "./options.ts";
import { requestHead, withKey } from "./request-head.ts";
import type { RequestHead } from "./request-head.ts";

/** A response whose headers may be read: most answers need none. */
export type WithHeaders = Pick<Response, "headers">;

/** Sends requests like the official SDK, with its authentication, headers, URL and errors, but without its retries. */
export interface Client {
  /**
   * Sends a request and returns the vendor's response before its body is read.
   *
   * @param body - The request's body, as JSON.
   * @param request - Its key overrides the provider's; its `fetch` is used unless the provider has one.
   * @param controller - Cancels the request.
   * @throws APIError of the SDK for an error status.
   */
  send(body: string, request: Pick<ModelRequest, "apiKey" | "fetch">, controller: AbortController): Promise<Response>;
  /**
   * Reads or cancels what an earlier request made.
   *
   * @param method - `GET`, or `POST` for a command.
   * @param path - After the path of the wire, such as `/resp_1`.
   * @param request - Its key and `fetch`.
   * @param controller - Cancels the request.
   * @throws APIError of the SDK for an error status.
   */
  at(
    method: "GET" | "POST",
    path: string,
    request: Pick<ModelRequest, "apiKey" | "fetch">,
    controller: AbortController,
  ): Promise<Response>;
  /** The key, if it is known, so that it can be removed from messages. */
  readonly apiKey: string | undefined;
  /** Time limits of an answer; the first one holds for the first byte too. */
  readonly timeouts: Readonly<Record<keyof ModelTimeouts, number>>;
}

/**
 * Makes the client of a model.
 *
 * @param options - The user's options.
 * @param compat - The server.
 * @param path - Path of the wire, such as `/responses`.
 * @throws ConfigurationError `BASE_URL_MISSING`, `INVALID_OPTION`, `KEY_IN_BROWSER` in a page without `allowBrowser`.
 */
export function createClient(options: OpenAIOptions, compat: Compat, path: string): Client {
  if (options.allowBrowser !== true && isBrowser()) {
    throw new ConfigurationError(
      "KEY_IN_BROWSER",
      "In a browser anyone can read the key of openai(): ask the model from a server, or pass allowBrowser: true.",
    );
  }
  // An empty variable of the environment gives an empty key, which is a missing one.
  const key =
    options.apiKey ||
    (compat.apiKeyVariable === undefined ? undefined : environment(compat.apiKeyVariable)) ||
    undefined;
  const head = requestHead(options, compat, path, environment);
  // A header from the user has priority over the provider's key, but not over the key of one request.
  const usual =
    typeof key === "string" ? { ...head, headers: { ...withKey(head, compat, key).headers, ...head.headers } } : head;
  const timeouts = modelTimeouts(head.url, options.timeoutMs);
  return {
    apiKey: typeof key === "string" ? key : undefined,
    timeouts,
    send: async (body, request, controller) =>
      reach({ ...(await headFor(request)), method: "POST", body }, timeouts.firstChunkMs, controller),
    async at(method, path, request, controller) {
      const { url, ...rest } = await headFor(request);
      const place = new URL(url);
      place.pathname += path;
      return reach({ ...rest, url: place.href, method, body: undefined }, timeouts.firstChunkMs, controller);
    },
  };

  async function headFor(request: Pick<ModelRequest, "apiKey" | "fetch">): Promise<RequestHead & Sender> {
    const own = request.apiKey || (typeof key === "function" ? await key() : undefined);
    if (!own && typeof key !== "string" && compat.apiKeyVariable !== undefined) {
      throw new ConfigurationError(
        "API_KEY_MISSING",
        `No key for ${compat.provider}: set ${compat.apiKeyVariable}, or give openai() or the call an "apiKey".`,
      );
    }
    const send = options.fetch ?? request.fetch ?? globalThis.fetch;
    return { ...(!own ? usual : withKey(head, compat, own)), send };
  }
}

interface Sender {
  readonly send: typeof globalThis.fetch;
}

interface SentRequest extends RequestHead, Sender {
  readonly method: "GET" | "POST";
  readonly body: string | undefined;
}

async function reach(
  { send, url, headers, method, body }: SentRequest,
  timeoutMs: number,
  controller: AbortController,
): Promise<Response> {
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, timeoutMs);
  let response: Response;
  try {
    response = await send(url, { method, headers, ...(body !== undefined && { body }), signal: controller.signal });
  } catch (error) {
    if (timedOut) throw new APIConnectionTimeoutError();
    throw new APIConnectionError({ cause: error instanceof Error ? error : new Error(String(error)) });
  } finally {
    clearTimeout(timer);
  }
  if (response.ok) return response;
  const text = await response.text();
  throw APIError.generate(response.status, errorEnvelope(text), text, response.headers);
}

/** The error in the form that the SDK expects, under `error`: some servers send it directly, or in an array. */
function errorEnvelope(text: string): { readonly error: unknown } | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  const body: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isJsonObject(body)) return undefined;
  return { error: body["error"] ?? body };
}

/**
 * Requests a whole answer: the parsed body, and the response, whose headers are created on demand.
 *
 * @param client - The client that sends it.
 * @param context - The model.
 * @param request - Signal and key.
 * @param body - The request's body, as JSON.
 * @param read - Makes the answer from the body; its errors become typed errors too.
 */
export async function requestJson<T>(
  client: Client,
  context: ModelContext,
  request: ModelRequest,
  body: string,
  read: (answer: unknown, response: WithHeaders) => T,
): Promise<T> {
  return requestWhole(request, {
    apiKey: client.apiKey,
    async ask(controller) {
      const response = await client.send(body, request, controller);
      return read(answerJson(await response.text()), response);
    },
    failure: (error, moment) => toModelError(error, context, moment),
  });
}

/**
 * Requests a streamed answer: its body, undecoded.
 *
 * @param client - Where to.
 * @param body - The request's body, as JSON.
 * @param request - The key.
 * @param controller - Cancels the request.
 */
export async function streamBody(
  client: Client,
  body: string,
  request: ModelRequest,
  controller: AbortController,
): Promise<ByteStream> {
  return bodyBytes(await client.send(body, request, controller));
}

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const value = process?.env?.[name]?.trim();
  return value === "" ? undefined : value;
}
