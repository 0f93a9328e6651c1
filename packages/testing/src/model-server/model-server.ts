import { checkKnownNames, checkArgument } from "@bailiwick/core";
import type { Script } from "../script/script.ts";
import { playScript } from "../script/play-script.ts";
import { vendorIds } from "../script/vendor-ids.ts";
import { answerRequest, type ServerState } from "./answer-request.ts";
import { issuedMemory } from "./issued-memory.ts";
import { listen } from "./listen.ts";
import { optionNames, type ModelServerOptions } from "./model-server-options.ts";
import { chatServers } from "./chat-server.ts";
import { refusalsById } from "./refusal-table.ts";
import type { RecordedRequest } from "./recorded-request.ts";

/** The vendor whose SDK the URL is for. */
export type ModelServerVendor = "openai" | "anthropic" | "google" | "ollama";

/** A running model server. Close it, or hold it with `await using`. */
export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Every request that arrived, refused ones included, in order (the last `keepRequests` of them). */
  readonly requests: readonly RecordedRequest[];
  /**
   * The base URL for the vendor's SDK.
   *
   * @param vendor - The vendor whose protocol the SDK speaks.
   */
  baseURL(vendor: ModelServerVendor): string;
  /** Ends all connections and the server. */
  close(): Promise<void>;
}

/**
 * Starts an HTTP server on 127.0.0.1 that speaks OpenAI Responses, OpenAI Chat Completions, Anthropic Messages, Gemini
 * and Ollama's own API, in JSON and as streams, from one script. It is as strict as the vendors: a request that they
 * would refuse is refused with their status and text, so a test that passes here sends valid requests.
 *
 * @param script - The model's answers.
 * @param options - Settings of the server.
 * @throws ScriptFaultError `SCRIPT_INVALID` if a step contradicts itself.
 * @throws ConfigurationError `UNKNOWN_OPTION`
 * @throws RangeError when `allow` names a refusal, or `server` a server, that does not exist.
 * @example
 * ```ts
 * import { modelServer } from "@bailiwick/testing/model-server";
 *
 * await using server = await modelServer([
 *   { toolCalls: [{ name: "weather", arguments: { city: "Oslo" } }] },
 *   "It rains in Oslo.",
 * ]);
 * const answer = await fetch(`${server.baseURL("openai")}/chat/completions`, {
 *   method: "POST",
 *   headers: { authorization: "Bearer test", "content-type": "application/json" },
 *   body: JSON.stringify({ model: "gpt-4.1", messages: [{ role: "user", content: "Weather?" }] }),
 * });
 * console.log(await answer.json(), server.requests.length);
 * ```
 */
export async function modelServer(script: Script, options: ModelServerOptions = {}): Promise<ModelServer> {
  if (typeof script !== "function") checkArgument(script, "array", 'modelServer(["answer"])');
  checkKnownNames(options, optionNames, "modelServer()");
  for (const id of options.allow ?? []) {
    if (!refusalsById.has(id))
      throw new RangeError(
        `modelServer: "allow" names "${id}", which is not a refusal. Known: ${[...refusalsById.keys()].join(", ")}.`,
      );
  }
  if (options.server !== undefined && !chatServers.includes(options.server))
    throw new RangeError(`modelServer: "server" is "${options.server}". Use one of ${chatServers.join(", ")}.`);
  const state: ServerState = {
    player: playScript(script),
    options,
    ids: vendorIds(options.seed),
    memory: issuedMemory(),
    requests: [],
    closing: new AbortController(),
  };
  const listener = await listen((request, response) => answerRequest(state, request, response), options.port ?? 0);
  const close = async (): Promise<void> => {
    state.closing.abort();
    await listener.close();
  };
  return {
    url: listener.url,
    requests: state.requests,
    baseURL: (vendor) => (vendor === "openai" ? `${listener.url}/v1` : listener.url),
    close,
    [Symbol.asyncDispose]: close,
  };
}
