import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A local server that answers "ok"; `/hop` redirects to the same server as `localhost`. */
export interface HoppingServer extends Disposable {
  /** The address with its port. */
  readonly host: string;
  readonly port: number;
}

/**
 * Starts one.
 *
 * @param seen - Called with each request.
 */
export async function hoppingServer(seen: (request: IncomingMessage) => void): Promise<HoppingServer> {
  const server = createServer((request, response) => {
    seen(request);
    if (request.url === "/hop") response.writeHead(302, { location: `http://localhost:${port}/end` });
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return { host: `127.0.0.1:${port}`, port, [Symbol.dispose]: () => void server.close() };
}
