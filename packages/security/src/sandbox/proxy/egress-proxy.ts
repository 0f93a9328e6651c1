import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import { fs, http, os, path } from "../node.ts";
import { forwardRequest } from "./forward-request.ts";
import { grantedFetch } from "./granted-fetch.ts";
import { openTunnel } from "./open-tunnel.ts";

/** A user of the machine; by default the user of this process. */
interface SocketOwner {
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

/** Options of a proxy. */
export interface EgressProxyOptions {
  /** The granted hosts. */
  readonly hosts: readonly string[];
  /** Sends requests, with the secrets whose markers they contain. */
  readonly fetch: typeof fetch;
  /** The user that the sandbox runs as. */
  readonly user: SocketOwner;
}

/** The only network access of a sandbox with granted hosts. */
export interface EgressProxy {
  /** Its unix socket, which is mounted into the sandbox. */
  readonly socket: string;
  /** Closes the proxy and its connections. */
  close(): Promise<void>;
}

/**
 * Opens a proxy on its own unix socket, outside the sandbox. Requests that name their URL are sent from here, so
 * markers of secrets can be replaced in them. A tunnel (`CONNECT`) is encrypted from end to end, so nothing in it can
 * be replaced.
 *
 * @param options - Hosts that may be reached.
 */
export async function openEgressProxy({ hosts, fetch, user }: EgressProxyOptions): Promise<EgressProxy> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bailiwick-proxy-"));
  const socket = path.join(folder, "egress");
  const send = grantedFetch(hosts, fetch);
  const open = new Set<Duplex>();
  const server = http.createServer((request: IncomingMessage, response: ServerResponse) => {
    void forwardRequest(request, response, send);
  });
  server.on("connection", (connection: Duplex) => {
    open.add(connection);
    connection.on("close", () => open.delete(connection));
  });
  server.on("connect", (request: IncomingMessage, inside: Duplex, head: Buffer) => {
    void openTunnel(request.url ?? "", inside, head, hosts);
  });
  // An answer has no time limit.
  server.requestTimeout = 0;
  try {
    await listen(server, socket);
    giveTo(user, [folder, socket]);
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    socket,
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const connection of open) connection.destroy();
      await closed;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder and the socket belong to one user, because every process that can connect can have secrets sent. */
function giveTo({ uid, gid }: SocketOwner, names: readonly string[]): void {
  for (const name of names) {
    fs.chmodSync(name, 0o700);
    if (uid !== undefined) fs.chownSync(name, uid, gid ?? uid);
  }
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(socket, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
