import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";

/** A server on loopback. */
export interface Loopback extends AsyncDisposable {
  readonly url: string;
  /** Requests so far, as "POST tools/call". */
  readonly requests: string[];
  /**
   * Cuts all connections, and refuses new ones until it is repaired. The port stays in use, so that no other server
   * answers instead.
   */
  cut(): void;
  mend(): void;
  /** Stops it; connections are cut. */
  stop(): Promise<void>;
}

/** Serves a fetch handler on loopback. */
export async function loopback(handle: (request: Request) => Response | Promise<Response>): Promise<Loopback> {
  const requests: string[] = [];
  const listener = getRequestListener(async (request) => {
    const body = request.method === "POST" ? await request.clone().text() : "";
    const method = (/"method":"([^"]+)"/u.exec(body) ?? [])[1] ?? new URL(request.url).pathname;
    requests.push(`${request.method} ${method}`);
    return handle(request);
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let isCut = false;
  server.on("connection", (socket) => void (isCut && socket.destroy()));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    cut: () => {
      isCut = true;
      server.closeAllConnections();
    },
    mend: () => {
      isCut = false;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
