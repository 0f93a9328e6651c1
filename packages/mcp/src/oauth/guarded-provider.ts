import { checkNamedAddress } from "@bailiwick/security/net";
import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import type { McpHttpOptions } from "../options.ts";

/**
 * The provider with a check of the page that it sends a person to: the server names this address too, and a program
 * that opens it could open a file or another program.
 *
 * @throws EgressDeniedError `EGRESS_DENIED` in place of the redirect.
 */
export function guardedProvider(
  { url: namedBy, allowHosts }: Pick<McpHttpOptions, "url" | "allowHosts">,
  provider: OAuthClientProvider,
): OAuthClientProvider {
  const redirectToAuthorization = async (url: URL): Promise<void> => {
    await checkNamedAddress(url, { namedBy, allowHosts });
    await provider.redirectToAuthorization(url);
  };
  return new Proxy(provider, {
    get(target, name) {
      if (name === "redirectToAuthorization") return redirectToAuthorization;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
