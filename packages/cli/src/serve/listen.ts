import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";

/** A server that takes requests. */
export interface Listening {
  readonly url: string;
  /** Accepts no further requests, and resolves when the current ones are answered. */
  finish(): Promise<void>;
  /** Closes the open connections. */
  close(): Promise<void>;
}

/** Handler of requests; Node's server gives the environment with the client's address. */
export type Fetch = (request: Request, env?: object) => Response | Promise<Response>;

/**
 * Listens on this machine only.
 *
 * @throws CommandError `CLI_PORT`
 */
export function listen(fetch: Fetch, port: number): Promise<Listening> {
  const server = createAdaptorServer({ fetch: (request, env) => fetch(request, env), hostname: "127.0.0.1" });
  // A kept connection could be closed by a reload when its client sends the next request.
  if ("maxRequestsPerSocket" in server) server.maxRequestsPerSocket = 1;
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? `Port ${port} is taken.` : `${cause.message}.`;
      reject(
        new CommandError(
          "CLI_PORT",
          `${why} Pass --port with another one; 0 takes a free port.`,
          exitCodes.failed.code,
          {
            cause,
          },
        ),
      );
    });
    server.listen(port, "127.0.0.1", () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const finished = new Promise<void>((done) => server.once("close", () => done()));
      const finish = (): Promise<void> => {
        if (server.listening) server.close();
        if ("closeIdleConnections" in server) server.closeIdleConnections();
        return finished;
      };
      resolve({
        url,
        finish,
        close: () => {
          const done = finish();
          if ("closeAllConnections" in server) server.closeAllConnections();
          return done;
        },
      });
    });
  });
}
