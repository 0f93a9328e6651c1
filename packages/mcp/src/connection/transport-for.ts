import type { SandboxPort } from "@bailiwick/core";
import { SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Transport } from "@modelcontextprotocol/client";
import type { McpHttpOptions, McpOptions } from "../options.ts";
import { backoff } from "./backoff.ts";
import { serverFetch } from "../server-fetch.ts";
import { streamReconnection } from "./stream-reconnection.ts";
import { wholeStreams } from "./whole-streams.ts";

/** Makes the transport to a server. Every request of it goes through the guarded fetch. */
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
  const { url, transport, auth, reconnect } = options;
  const common = {
    fetch: serverFetch(options),
    ...(auth !== undefined && { authProvider: auth }),
  };
  if (transport === "sse") return new SSEClientTransport(new URL(url), common);
  const reconnection = streamReconnection(backoff(reconnect));
  const made = wholeStreams(
    new StreamableHTTPClientTransport(new URL(url), {
      ...common,
      reconnectionScheduler: reconnection.schedule,
      reconnectionOptions: {
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 1,
        reconnectionDelayGrowFactor: 1,
        // The scheduler counts.
        maxRetries: Number.MAX_SAFE_INTEGER,
      },
    }),
  );
  return listening(made, reconnection.heard);
}

/** Tells of each message that comes. */
function listening<T extends Transport>(transport: T, heard: () => void): T {
  let take = transport.onmessage;
  Object.defineProperty(transport, "onmessage", {
    get: () => take,
    set: (listener: NonNullable<Transport["onmessage"]> | undefined) => {
      take =
        listener === undefined
          ? undefined
          : (message, extra) => {
              heard();
              listener(message, extra);
            };
    },
  });
  return transport;
}
