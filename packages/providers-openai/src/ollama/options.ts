import type { ModelCapabilities } from "@bailiwick/core/provider";

/** How {@link ollama} reaches a model. */
export interface OllamaOptions {
  /** Default: `http://127.0.0.1:11434`, where Ollama listens. Without `/v1`, the path of its other API. */
  readonly baseURL?: string | undefined;
  /** Key of Ollama's cloud, or of a proxy. Default: no key is sent. */
  readonly apiKey?: string | (() => Promise<string>) | undefined;
  /**
   * Context window in tokens. Each request sends it as `num_ctx`, and the run compacts its history to stay below it.
   * Default: the server's own, which the run does not know.
   */
  readonly numCtx?: number | undefined;
  /**
   * How long the model stays loaded after a request: `"10m"`, seconds, or `-1` for unlimited. Default: the server's,
   * five minutes.
   */
  readonly keepAlive?: string | number | undefined;
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Maximum wait for response headers, in milliseconds; default 600,000. The runner has the time-outs of a run. */
  readonly timeoutMs?: number | undefined;
  /** Capabilities of the model, such as `{ input: { image: false, audio: false, file: false } }` for a text model. */
  readonly capabilities?: Partial<ModelCapabilities> | undefined;
  /** Allows use in a browser, where the key can be read by anyone. Default `false`. */
  readonly allowBrowser?: boolean | undefined;
}

/** The compiler checks that every option is listed here: an unlisted one would be refused as unknown. */
const names: { readonly [Name in keyof Required<OllamaOptions>]: true } = {
  baseURL: true,
  apiKey: true,
  numCtx: true,
  keepAlive: true,
  headers: true,
  fetch: true,
  timeoutMs: true,
  capabilities: true,
  allowBrowser: true,
};

/** Names of the options of a model. */
export const optionNames: readonly string[] = Object.keys(names);

/** Settings of one call, under `providerOptions.ollama`. */
export interface OllamaCallOptions {
  /** The server's runtime parameters, such as `{ seed: 7, top_k: 20 }`; they win over the settings of the call. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** How long the model stays loaded after this request. */
  readonly keepAlive?: string | number | undefined;
  /** Sent unchanged, for fields that this version does not know. Has precedence over everything else. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

const callNames: { readonly [Name in keyof Required<OllamaCallOptions>]: true } = {
  options: true,
  keepAlive: true,
  extraBody: true,
};

/** Names of the settings of a call. */
export const callOptionNames: readonly string[] = Object.keys(callNames);
