import { ConfigurationError, checkArgument } from "@bailiwick/core";
import { tellUserCode } from "@bailiwick/core/extension";
import type {
  DpopSession,
  OAuthClientInformationContext,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { validateClientMetadataUrl } from "@modelcontextprotocol/client";
import { proofSession } from "./dpop-key.ts";
import type { KeyPlace } from "./dpop-key.ts";
import { memoryTokens } from "./token-store.ts";
import type { TokenStore } from "./token-store.ts";

/** The client that asks for an authorization, and its return address. */
export interface OAuthOptions {
  /** The address that the browser returns to; pass its parameters to `finishAuthorization()`. */
  readonly redirectUrl: string;
  /** Name of this client, shown to people. */
  readonly clientName: string;
  /** Space-separated. Default: the scopes that the server requests. */
  readonly scope?: string | undefined;
  /** Storage of one user's tokens. Default: in this process. */
  readonly store?: TokenStore | undefined;
  /** Set if the authorization server knows the client; otherwise it registers itself, if allowed. */
  readonly client?:
    | {
        readonly clientId: string;
        readonly clientSecret?: string | undefined;
        /** Authorization server that knows the client. With it, the secret is sent to no other. */
        readonly issuer?: string | undefined;
      }
    | undefined;
  /**
   * Address of this client's metadata document, https with a path. Authorization servers that support such documents
   * use it as the client's id, without a registration. Default: the client registers itself.
   */
  readonly clientMetadataUrl?: string | undefined;
  /**
   * `true` binds tokens to a key of this client (DPoP), so that a stolen token cannot be used. The key is kept in
   * `store`, beside the tokens. Servers that do not support it issue ordinary tokens. Default `false`.
   */
  readonly proofOfPossession?: boolean | undefined;
  /**
   * Called with the address where a person gives the authorization, such as to open their browser. The call that needs the
   * authorization does not wait for it.
   */
  readonly onAuthorization?: ((url: URL) => void | Promise<void>) | undefined;
}

/** A provider that knows which flow is in progress. */
export interface OAuthProvider extends OAuthClientProvider {
  /** Address at which a person authorizes; `undefined` if none is needed. */
  readonly pendingUrl: string | undefined;
  /**
   * True if an answer's `state` belongs to the flow that was begun here; it is accepted once.
   *
   * @param state - The `state` in the address to which the authorization server sent the person back.
   */
  takeState(state: string | null): Promise<boolean>;
}

/**
 * Obtains authorizations by OAuth 2.1: authorization code with PKCE, registration if the server offers it, refresh. One
 * provider is for one user at one server.
 *
 * @param options - The client, the address that the browser returns to, and the storage of tokens.
 * @throws ConfigurationError `INVALID_MCP_OPTION` if the address or the name is missing.
 * @example
 * ```ts
 * import { mcp, oauth } from "@bailiwick/mcp";
 *
 * export const tracker = mcp({
 *   name: "tracker",
 *   url: "https://tracker.example/mcp",
 *   auth: oauth({
 *     clientName: "Desk",
 *     redirectUrl: "http://localhost:8976/callback",
 *     onAuthorization: (url) => console.log(`Give leave at ${url.href}`),
 *   }),
 * });
 * ```
 */
export function oauth(options: OAuthOptions): OAuthProvider {
  checkArgument(options, "object", "oauth({ redirectUrl, clientName })");
  const {
    redirectUrl,
    clientName,
    scope,
    store = memoryTokens(),
    client,
    clientMetadataUrl,
    onAuthorization,
    proofOfPossession = false,
  } = options;
  if (!URL.canParse(redirectUrl) || typeof clientName !== "string" || clientName === "") {
    throw new ConfigurationError(
      "INVALID_MCP_OPTION",
      `oauth() needs redirectUrl, the address that the browser comes back to, and clientName, which people see.`,
    );
  }
  if (onAuthorization !== undefined && typeof onAuthorization !== "function")
    throw new ConfigurationError("INVALID_MCP_OPTION", "onAuthorization of oauth() is a function.");
  validateClientMetadataUrl(clientMetadataUrl);
  let pendingUrl: string | undefined;
  const read = async <T>(key: string): Promise<T | undefined> => {
    const text = await store.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  };
  const write = async (key: string, value: unknown): Promise<void> => store.set(key, JSON.stringify(value));
  let proof: Promise<DpopSession> | undefined;
  const keyPlace: KeyPlace = { read: () => read("dpop-key"), write: (key) => write("dpop-key", key) };
  /** Credentials belong to one authorization server: another one never gets them. */
  const keyOf = (kind: string, ctx: OAuthClientInformationContext | undefined): string =>
    ctx === undefined ? kind : `${kind} ${ctx.issuer}`;

  return {
    get pendingUrl() {
      return pendingUrl;
    },
    async takeState(state) {
      const begun = await read<string>("state");
      await store.delete("state");
      return begun !== undefined && state !== null && sameText(begun, state);
    },
    redirectUrl,
    ...(proofOfPossession && { dpop: () => (proof ??= proofSession(keyPlace)) }),
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    clientMetadata: {
      client_name: clientName,
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: client?.clientSecret === undefined ? "none" : "client_secret_basic",
      ...(scope !== undefined && { scope }),
    },
    async state() {
      const state = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
      await write("state", state);
      return state;
    },
    async clientInformation(ctx) {
      if (client === undefined) return read<StoredOAuthClientInformation>(keyOf("client", ctx));
      const { clientId, clientSecret, issuer } = client;
      return {
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
        ...(issuer !== undefined && { issuer }),
      };
    },
    saveClientInformation: (information, ctx) => write(keyOf("client", ctx), information),
    // The transport reads without a context: it needs the value that was saved last.
    tokens: (ctx) => read<StoredOAuthTokens>(keyOf("tokens", ctx)),
    async saveTokens(tokens, ctx) {
      pendingUrl = undefined;
      await write("tokens", tokens);
      // The next authorization asks the server again for its authorization server, which may have changed.
      await store.delete("discovery");
      if (ctx !== undefined) await write(keyOf("tokens", ctx), tokens);
    },
    async redirectToAuthorization(url) {
      pendingUrl = url.href;
      if (onAuthorization === undefined) return;
      // The error of the call has the address too, so a listener that fails, or never settles, holds no call.
      tellUserCode(
        () => onAuthorization(new URL(url)),
        (error) => console.error("onAuthorization of oauth() failed.", error),
      );
    },
    saveCodeVerifier: (verifier) => write("verifier", verifier),
    async codeVerifier() {
      const verifier = await read<string>("verifier");
      if (verifier !== undefined) return verifier;
      throw new ConfigurationError("NO_AUTHORIZATION", "No authorization was started here. Start one, then finish it.");
    },
    saveDiscoveryState: (state) => write("discovery", state),
    discoveryState: () => read<OAuthDiscoveryState>("discovery"),
    async invalidateCredentials(what) {
      const kinds = {
        all: ["client", "tokens", "verifier", "discovery"],
        client: ["client"],
        tokens: ["tokens"],
        verifier: ["verifier"],
        discovery: ["discovery"],
      };
      const { authorizationServerUrl } = (await read<OAuthDiscoveryState>("discovery")) ?? {};
      for (const kind of kinds[what]) {
        await store.delete(kind);
        if (authorizationServerUrl !== undefined) await store.delete(`${kind} ${authorizationServerUrl}`);
      }
    },
  };
}

/** Address at which a person gives the authorization that a provider waits for. */
export function authorizationUrlOf(provider: OAuthClientProvider | undefined): string | undefined {
  return (provider as Partial<OAuthProvider> | undefined)?.pendingUrl;
}

/** Takes the same time for any difference. */
function sameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}
