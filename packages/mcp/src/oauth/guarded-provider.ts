import { BailiwickError } from "@bailiwick/core";
import { checkNamedAddress } from "@bailiwick/security/net";
import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/client";
import type { McpHttpOptions } from "../options.ts";
import type { OAuthProvider } from "./oauth.ts";

/** Writes that wait until the server is accepted. */
const heldWrites = ["saveDiscoveryState", "saveClientInformation", "saveCodeVerifier"] as const;
type HeldWrite = (typeof heldWrites)[number];

/**
 * The provider with a check of the addresses that a server names: the page that a person is sent to, because a program
 * that opens it could open a file or another program, and the endpoint that gets the code. Until the check has accepted
 * them, the provider stores nothing of the server: a refused server leaves its discovery document, its registration
 * and the begun flow in no store.
 *
 * @throws EgressDeniedError `EGRESS_DENIED` in place of the redirect.
 */
export function guardedProvider(
  { url: namedBy, allowHosts }: Pick<McpHttpOptions, "url" | "allowHosts">,
  provider: OAuthClientProvider,
): OAuthClientProvider {
  const held = new Map<HeldWrite, readonly unknown[]>();
  const check = (url: URL): Promise<void> => checkNamedAddress(url, { namedBy, allowHosts });

  let stored: OAuthDiscoveryState | undefined;

  const checkTokenEndpoint = async (document: OAuthDiscoveryState | undefined): Promise<void> => {
    const endpoint = document?.authorizationServerMetadata?.token_endpoint;
    if (endpoint === undefined) return;
    await check(new URL(endpoint)).catch((error: unknown) => {
      // An address that cannot be resolved now is checked when it is requested.
      if (BailiwickError.isInstance(error)) throw error;
    });
  };
  /** Runs checks. A refusal ends the flow, so that no browser can finish it, and deletes what an earlier flow stored. */
  const orForget = async (checks: () => Promise<void>): Promise<void> => {
    try {
      await checks();
    } catch (error) {
      held.clear();
      // The document is deleted last: it names the server that the others belong to.
      if (stored !== undefined)
        for (const kind of ["client", "verifier", "discovery"] as const) await provider.invalidateCredentials?.(kind);
      await (provider as Partial<OAuthProvider>).takeState?.(null);
      throw error;
    }
  };
  /** Stores the writes of the flow, because its server is accepted. */
  const accept = async (): Promise<void> => {
    const writes = [...held];
    held.clear();
    for (const [name, given] of writes)
      await (provider[name] as (...all: unknown[]) => unknown).call(provider, ...given);
  };

  const guarded: Partial<OAuthClientProvider> = {
    // The first call of each flow.
    async discoveryState() {
      held.clear();
      stored = await provider.discoveryState?.();
      await orForget(() => checkTokenEndpoint(stored));
      return stored;
    },
    async clientInformation(ctx) {
      const [information] = held.get("saveClientInformation") ?? [];
      return (information as ReturnType<OAuthClientProvider["clientInformation"]>) ?? provider.clientInformation(ctx);
    },
    async redirectToAuthorization(url) {
      await orForget(async () => {
        await check(url);
        await checkTokenEndpoint(held.get("saveDiscoveryState")?.[0] as OAuthDiscoveryState | undefined);
      });
      await accept();
      await provider.redirectToAuthorization(url);
    },
    // Only a server that was reached gives tokens, or an answer that makes credentials invalid.
    async saveTokens(tokens, ctx) {
      await accept();
      await provider.saveTokens(tokens, ctx);
    },
    async invalidateCredentials(what) {
      await accept();
      await provider.invalidateCredentials?.(what);
    },
    ...Object.fromEntries(
      heldWrites.map((name) => [name, (...given: readonly unknown[]) => void held.set(name, given)] as const),
    ),
  };
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return Object.hasOwn(guarded, name) ? guarded[name as keyof typeof guarded] : (value.bind(target) as unknown);
    },
  });
}
