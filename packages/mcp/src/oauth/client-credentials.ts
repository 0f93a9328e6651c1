import { ConfigurationError, checkArgument } from "@bailiwick/core";
import { ClientCredentialsProvider, PrivateKeyJwtProvider } from "@modelcontextprotocol/client";
import type { OAuthClientProvider } from "@modelcontextprotocol/client";

/** Credentials of a program that acts for itself. */
export interface ClientCredentialsOptions {
  /** Id of the client at the authorization server. */
  readonly clientId: string;
  /** Authorization server that the credentials belong to; they are sent to no other. */
  readonly issuer: string;
  /** Secret of the client. Give either this or `privateKey`. */
  readonly clientSecret?: string | undefined;
  /** Private key that signs an assertion in place of a secret: PEM, bytes, or a JWK. */
  readonly privateKey?: string | Uint8Array | Readonly<Record<string, unknown>> | undefined;
  /** Algorithm of the signature, such as `ES256`. Required with `privateKey`. */
  readonly algorithm?: string | undefined;
  /** Space-separated. Default: the scope that the server requests. */
  readonly scope?: string | undefined;
}

/**
 * Authorizes a program without a person: OAuth `client_credentials`, with a secret or with a signed assertion
 * (`private_key_jwt`). Tokens are stored in this process.
 *
 * @param options - The credentials, and the authorization server that they belong to.
 * @throws ConfigurationError `INVALID_MCP_OPTION` unless there is exactly one of `clientSecret` and `privateKey`.
 * @example
 * ```ts
 * import { clientCredentials, mcp } from "@bailiwick/mcp";
 *
 * export const tracker = mcp({
 *   name: "tracker",
 *   url: "https://tracker.example/mcp",
 *   auth: clientCredentials({
 *     clientId: "nightly-report",
 *     clientSecret: process.env["TRACKER_SECRET"] ?? "not set",
 *     issuer: "https://login.example",
 *   }),
 * });
 * ```
 */
export function clientCredentials(options: ClientCredentialsOptions): OAuthClientProvider {
  checkArgument(options, "object", "clientCredentials({ clientId, issuer })");
  const { clientId, clientSecret, privateKey, algorithm, scope, issuer } = options;
  const refuse = (why: string): ConfigurationError =>
    new ConfigurationError("INVALID_MCP_OPTION", `clientCredentials(): ${why}.`);
  if (typeof clientId !== "string" || clientId === "") throw refuse("it needs clientId");
  if (!URL.canParse(issuer)) throw refuse("issuer is not a URL; give that of the authorization server");
  const common = { clientId, expectedIssuer: issuer, ...(scope !== undefined && { scope }) };
  if (clientSecret !== undefined && privateKey === undefined)
    return new ClientCredentialsProvider({ ...common, clientSecret });
  if (privateKey === undefined || clientSecret !== undefined) throw refuse("give either clientSecret or privateKey");
  if (algorithm === undefined) throw refuse("privateKey needs algorithm, such as ES256");
  const key = typeof privateKey === "object" && !(privateKey instanceof Uint8Array) ? { ...privateKey } : privateKey;
  return new PrivateKeyJwtProvider({ ...common, privateKey: key, algorithm });
}
