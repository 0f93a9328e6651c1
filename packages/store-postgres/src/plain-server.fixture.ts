import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

/** Behaviour of a server after a failure. */
export type Failing =
  | { readonly at: "start" | "statement"; readonly sqlState: string; readonly says: string }
  /** Accepts connections and never answers. */
  | { readonly at: "never" };

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const authenticated = message("R", Buffer.alloc(4));
const ready = message("Z", Buffer.from("I"));

function failure(severity: string, sqlState: string, says: string): Buffer {
  return message("E", Buffer.from(`S${severity}\0V${severity}\0C${sqlState}\0M${says}\0\0`));
}

/** A server that speaks PostgreSQL's protocol as far as its failure. */
export async function plainServer(failing: Failing): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer((socket) => {
    let started = false;
    socket.on("error", () => undefined);
    socket.on("data", (data: Buffer) => {
      if (failing.at === "never") return;
      if (!started) {
        started = true;
        if (failing.at === "start") socket.end(failure("FATAL", failing.sqlState, failing.says));
        else socket.write(Buffer.concat([authenticated, ready]));
      } else if (failing.at === "statement" && !data.toString("latin1").startsWith("X"))
        socket.write(Buffer.concat([failure("ERROR", failing.sqlState, failing.says), ready]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `postgres://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}/app`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.unref();
        resolve();
      }),
  };
}
