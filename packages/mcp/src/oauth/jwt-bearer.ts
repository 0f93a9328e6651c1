import { ConfigurationError, checkKnownNames, checkArgument } from "@bailiwick/core";
import {
  discoverAndRequestJwtAuthGrant,
  requestJwtAuthorizationGrant,
  OAuthClientFlowError,
} from "@modelcontextprotocol/client";
import type { OAuthClientProvider, OAuthTokens } from "@modelcontextprotocol/client";
import { askUserCode, systemClock } from "@bailiwick/core/extension";

const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** The request that an assertion is for. */
export interface AssertionRequest {
  /** Authorization server that gets the assertion: its audience. */
  readonly authorizationServerUrl: string;
  /** The MCP server, as its metadata names it; `undefined` where the server has none. */
  readonly resourceUrl: string | undefined;
  /** Scopes that the server requests, separated by spaces. */
  readonly scope: string | undefined;
}

/** Credentials of a program or a user that another authority identifies. */
export interface JwtBearerOptions {
  /** Id of the client at the authorization server. */
  readonly clientId: string;
  /** Secret of the client. Default: the client has none, and the assertion alone identifies it. */
  readonly clientSecret?: string | undefined;
  /** Authorization server that accepts the assertions; they are sent to no other. */
  readonly issuer: string;
  /** Returns a fresh assertion, such as the token of the workload's platform. Called for each access token. */
  readonly assertion: (request: AssertionRequest) => string | Promise<string>;
  /** Space-separated. Default: the scope that the server requests. */
  readonly scope?: string | undefined;
}

/**
 * Authorizes by an assertion of another authority: OAuth's `jwt-bearer` grant. Workloads use it to present the identity
 * from their platform, and, with `enterpriseAssertion()`, a company's identity provider uses it to admit its users.
 * Tokens are kept in this process. A refused assertion fails; no other grant is tried.
 *
 * @param options - The client, the authorization server, and where assertions come from.
 * @throws ConfigurationError `INVALID_MCP_OPTION` for a missing client or function, or an issuer that is not a URL.
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { jwtBearer, mcp } from "@bailiwick/mcp";
 *
 * export const tracker = mcp({
 *   name: "tracker",
 *   url: "https://tracker.example/mcp",
 *   auth: jwtBearer({
 *     clientId: "nightly-report",
 *     issuer: "https://login.example",
 *     assertion: () => readFile("/var/run/secrets/tokens/tracker", "utf8"),
 *   }),
 * });
 * ```
 */
export function jwtBearer(options: JwtBearerOptions): OAuthClientProvider {
  checkArgument(options, "object", "jwtBearer({ clientId, issuer, assertion })");
  const { clientId, clientSecret, issuer, assertion, scope: wanted } = options;
  const refuse = (why: string): ConfigurationError =>
    new ConfigurationError("INVALID_MCP_OPTION", `jwtBearer(): ${why}.`);
  if (typeof clientId !== "string" || clientId === "") throw refuse("it needs clientId");
  if (!URL.canParse(issuer)) throw refuse("issuer is not a URL; give that of the authorization server");
  if (typeof assertion !== "function") throw refuse("it needs assertion, a function that returns a JWT");
  let kept: OAuthTokens | undefined;
  let authorizationServerUrl: string | undefined;
  let resourceUrl: string | undefined;
  const noPerson = (): never => {
    throw new Error("A client with an assertion asks no person for an authorization.");
  };
  return {
    redirectUrl: undefined,
    clientMetadata: {
      client_name: clientId,
      redirect_uris: [],
      grant_types: [grantType],
      token_endpoint_auth_method: clientSecret === undefined ? "none" : "client_secret_basic",
      ...(wanted !== undefined && { scope: wanted }),
    },
    clientInformation: () => ({
      client_id: clientId,
      issuer,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
    }),
    tokens: () => kept,
    saveTokens: (tokens) => {
      kept = tokens;
    },
    saveAuthorizationServerUrl: (url) => {
      authorizationServerUrl = url;
    },
    saveResourceUrl: (url) => {
      resourceUrl = url;
    },
    redirectToAuthorization: noPerson,
    codeVerifier: noPerson,
    saveCodeVerifier: () => undefined,
    async prepareTokenRequest(asked) {
      const scope = wanted ?? asked;
      const request = { authorizationServerUrl: authorizationServerUrl ?? issuer, resourceUrl, scope };
      const params = new URLSearchParams({
        grant_type: grantType,
        assertion: await credentialOf("assertion", () => assertion(request)),
      });
      if (scope !== undefined) params.set("scope", scope);
      return params;
    },
  };
}

/** An identity provider of a company, and the token that identifies the user. */
export interface EnterpriseAssertionOptions {
  /** Address of the identity provider, whose metadata names the token endpoint. */
  readonly identityProvider: string;
  /** Token endpoint of the identity provider. Default: found in its metadata. */
  readonly tokenEndpoint?: string | undefined;
  /** Client id and secret at the identity provider. */
  readonly clientId: string;
  /** Secret of the client at the identity provider. Default: the client has none. */
  readonly clientSecret?: string | undefined;
  /** Returns the ID token that the user got when they signed in. */
  readonly idToken: () => string | Promise<string>;
  /** Sends the requests to the identity provider. Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Makes assertions for `jwtBearer()` from a company's identity provider: it exchanges the user's ID token for a grant that the
 * server's authorization server takes (enterprise-managed authorization).
 *
 * @param options - The identity provider, and the user's ID token.
 * @example
 * ```ts
 * import { enterpriseAssertion, jwtBearer, mcp } from "@bailiwick/mcp";
 *
 * export const trackerOf = (idToken: string) =>
 *   mcp({
 *     name: "tracker",
 *     url: "https://tracker.example/mcp",
 *     auth: jwtBearer({
 *       clientId: "desk",
 *       clientSecret: process.env["TRACKER_SECRET"] ?? "not set",
 *       issuer: "https://login.tracker.example",
 *       assertion: enterpriseAssertion({
 *         identityProvider: "https://login.corp.example",
 *         clientId: "desk-at-corp",
 *         idToken: () => idToken,
 *       }),
 *     }),
 *   });
 * ```
 */
export function enterpriseAssertion(options: EnterpriseAssertionOptions): JwtBearerOptions["assertion"] {
  checkKnownNames(
    options ?? null,
    ["identityProvider", "tokenEndpoint", "clientId", "clientSecret", "idToken", "fetch"],
    "enterpriseAssertion()",
  );
  const { identityProvider, tokenEndpoint, clientId, clientSecret, idToken, fetch } = options;
  return async ({ authorizationServerUrl, resourceUrl, scope }) => {
    if (resourceUrl === undefined)
      throw new Error("The server names no resource in its metadata, which the identity provider needs.");
    const exchange = {
      audience: authorizationServerUrl,
      resource: resourceUrl,
      idToken: await credentialOf("idToken", idToken),
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      ...(scope !== undefined && { scope }),
      ...(fetch !== undefined && { fetchFn: (url: string | URL, init?: RequestInit) => fetch(url, init) }),
    };
    const { jwtAuthGrant } =
      tokenEndpoint === undefined
        ? await discoverAndRequestJwtAuthGrant({ ...exchange, idpUrl: identityProvider })
        : await requestJwtAuthorizationGrant({ ...exchange, tokenEndpoint });
    return jwtAuthGrant;
  };
}

/** Longest wait for a function that returns a credential, in milliseconds. */
const longestWaitMs = 30_000;

/**
 * Calls the function of an option that returns a credential, such as an assertion.
 *
 * @param name - The option that contains the function, for the error.
 * @throws OAuthClientFlowError if it fails, does not settle within 30 seconds, or returns no text: nothing is sent then.
 */
async function credentialOf(name: string, call: () => unknown): Promise<string> {
  const answer = await askUserCode(call, { name, timeoutMs: longestWaitMs, clock: systemClock });
  if (answer.ok && typeof answer.value === "string" && answer.value.trim() !== "") return answer.value;
  const why = answer.ok ? "it returned no text" : answer.error.message;
  throw Object.assign(
    new OAuthClientFlowError(`"${name}" gave no credential: ${why}`),
    answer.ok ? {} : { cause: answer.error },
  );
}
