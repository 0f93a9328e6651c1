import { auth } from "@modelcontextprotocol/client";
import type { AuthResult, OAuthClientProvider } from "@modelcontextprotocol/client";
import { serverFetch } from "../server-fetch.ts";
import type { McpHttpOptions } from "../options.ts";
import { guardedProvider } from "./guarded-provider.ts";

/** Runs the OAuth flow of a server; all of its requests use the guarded fetch. */
export function authorize(
  options: McpHttpOptions,
  provider: OAuthClientProvider,
  answer: { readonly authorizationCode: string; readonly iss?: string },
): Promise<AuthResult> {
  const closed = AbortSignal.timeout(options.connectTimeoutMs ?? 30_000);
  return auth(guardedProvider(options, provider), {
    serverUrl: options.url,
    ...answer,
    fetchFn: serverFetch(options, closed),
  });
}
