import type { SandboxPort } from "@bailiwick/core";
import { SSEClientTransport, StreamableHTTPClientTransport, withDpopFromProvider } from "@modelcontextprotocol/client";
import type { OAuthClientProvider, Transport } from "@modelcontextprotocol/client";
import type { McpHttpOptions, McpOptions } from "../options.ts";
import { backoff } from "./backoff.ts";
import { guardedProvider } from "../oauth/guarded-provider.ts";
import { serverFetch } from "../server-fetch.ts";
import { ownAnswers } from "./own-answers.ts";
import { resumingFetch } from "./resuming-streams.ts";
import { wholeStreams } from "./whole-streams.ts";

/** Makes the transport to a server. All of its requests use the guarded fetch. */
export async function transportFor(
  options: McpOptions,
  { sandbox, signal }: { readonly sandbox: SandboxPort | undefined; readonly signal: AbortSignal },
): Promise<Transport> {
  if (options.command === undefined) return httpTransport(options);
  const [{ startServer }, { stdioTransport }] = await Promise.all([
    import("../stdio/start-server.ts"),
    import("../stdio/stdio-transport.ts"),
  ]);
  return stdioTransport(await startServer(options, sandbox, signal));
}

function httpTransport(options: McpHttpOptions): Transport {
  const { url, transport, reconnect } = options;
  const auth = options.auth && guardedProvider(options, options.auth);
  const closed = new AbortController();
  const fetch = serverFetch(options, closed.signal);
  const credentials = auth !== undefined && { authProvider: auth };
  if (transport === "sse") return closing(new SSEClientTransport(new URL(url), { fetch, ...credentials }), closed);
  const streamable = wholeStreams(
    new StreamableHTTPClientTransport(new URL(url), {
      fetch: ownAnswers(resumingFetch({ fetch, resume: authorizedFetch(fetch, auth), backoff: backoff(reconnect) })),
      ...credentials,
      // Streams are resumed below the transport, each separately.
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 1,
        reconnectionDelayGrowFactor: 1,
      },
    }),
  );
  return closing(streamable, closed);
}

/** Ends every request of a transport when it closes. */
function closing<T extends Transport>(transport: T, closed: AbortController): T {
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close().finally(() => closed.abort());
  };
  return transport;
}

/** Sends a request with the provider's current credentials: those of the stream's first request may have expired. */
function authorizedFetch(fetch: typeof globalThis.fetch, auth: OAuthClientProvider | undefined): typeof fetch {
  if (auth === undefined) return fetch;
  const send = auth.dpop === undefined ? fetch : withDpopFromProvider(auth)(fetch);
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const tokens = await auth.tokens();
    if (tokens !== undefined) headers.set("authorization", `Bearer ${tokens.access_token}`);
    return send(input as string | URL, { ...init, headers });
  };
}
