import { checkBaseURL, ConfigurationError } from "@bailiwick/core/provider";
import type { Compat } from "./server-record.ts";
import type { OpenAIOptions } from "./options.ts";

/** Target and headers of a request. */
export interface RequestHead {
  readonly url: string;
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Environment variables, trimmed; empty if the platform has none. */
export type Environment = (name: string) => string | undefined;

/**
 * The address and headers of every request to a server, as the official SDK makes them, without the headers in which
 * the SDK reports itself. Implemented here, because otherwise a starting process would load the whole SDK for these few
 * lines.
 *
 * @param options - The provider's options.
 * @param compat - The server.
 * @param path - Of the wire, after the base URL.
 * @param environment - Settings outside the program.
 * @throws ConfigurationError `BASE_URL_MISSING`, `INVALID_OPTION` if `baseURL` is not a URL.
 */
export function requestHead(
  options: OpenAIOptions,
  compat: Compat,
  path: string,
  environment: Environment,
): RequestHead {
  const ofOpenAI = compat.provider === "openai" ? environment : () => undefined;
  const organization = options.organization ?? ofOpenAI("OPENAI_ORG_ID");
  const project = options.project ?? ofOpenAI("OPENAI_PROJECT_ID");
  return {
    url: urlOf(options.baseURL ?? ofOpenAI("OPENAI_BASE_URL") ?? compat.baseURL, compat, path),
    headers: {
      accept: "application/json",
      ...(organization !== undefined && { "openai-organization": organization }),
      ...(project !== undefined && { "openai-project": project }),
      ...headerLines(ofOpenAI("OPENAI_CUSTOM_HEADERS")),
      ...lowerCase(options.headers),
      "content-type": "application/json",
    },
  };
}

/** The head of a request that carries a key. */
export function withKey({ url, headers }: RequestHead, compat: Compat, key: string): RequestHead {
  const carried = compat.keyHeader === "authorization" ? { authorization: `Bearer ${key}` } : { "api-key": key };
  return { url, headers: { ...headers, ...carried } };
}

const openAIAddress = "https://api.openai.com/v1";

/** The path comes before the base URL's query, in which some servers expect their version. */
function urlOf(base: string | undefined, { provider }: Compat, path: string): string {
  if (base === undefined && provider !== "openai") {
    throw new ConfigurationError(
      "BASE_URL_MISSING",
      `The server "${provider}" has no default address: give openai() a "baseURL".`,
    );
  }
  const address = base ?? openAIAddress;
  checkBaseURL(address, "openai()", openAIAddress);
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/$/, "") + path;
  url.hash = "";
  return url.href;
}

function lowerCase(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** `Name: value`, one a line. */
function headerLines(text = ""): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.includes(":"));
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
