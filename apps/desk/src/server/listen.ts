import { createAdaptorServer } from "@hono/node-server";
import type { AddressInfo } from "node:net";
import { DeskError } from "../desk-error.ts";
import { usualPort } from "../settings.ts";

/** A server that takes requests. */
export interface Listening {
  readonly port: number;
  readonly url: string;
  /** Closes open connections too. */
  close(): Promise<void>;
}

/** Number of ports to try after the usual one. */
const attempts = 20;

/**
 * Listens on this machine only.
 *
 * @param fetch - Answers requests.
 * @param port - A port that must be free, or `null`: the usual one or the next that is free.
 * @param say - Receives one line if the usual port is in use.
 * @throws DeskError - `PORT_TAKEN`.
 */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  port: number | null,
  say: (line: string) => void,
): Promise<Listening> {
  if (port !== null) return open(fetch, port);
  for (let candidate = usualPort; candidate < usualPort + attempts; candidate += 1) {
    try {
      return await open(fetch, candidate);
    } catch (error) {
      if (!(error instanceof DeskError) || error.code !== "PORT_TAKEN") throw error;
      say(`Port ${candidate} is taken, trying ${candidate + 1}.`);
    }
  }
  throw new DeskError(
    "PORT_TAKEN",
    `The ports ${usualPort} to ${usualPort + attempts - 1} are all taken. Set PORT to a free one.`,
  );
}

function open(fetch: (request: Request) => Response | Promise<Response>, port: number): Promise<Listening> {
  const server = createAdaptorServer({ fetch, hostname: "127.0.0.1" });
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      if (cause.code === "EADDRINUSE")
        reject(
          new DeskError("PORT_TAKEN", `Port ${port} is taken. Set PORT to a free one, or leave it out.`, { cause }),
        );
      else reject(new DeskError("INVALID_SETTING", `Cannot listen on port ${port}: ${cause.message}.`, { cause }));
    });
    server.listen(port, "127.0.0.1", () => {
      const taken = (server.address() as AddressInfo).port;
      resolve({
        port: taken,
        url: `http://127.0.0.1:${taken}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            if ("closeAllConnections" in server) server.closeAllConnections();
          }),
      });
    });
  });
}
