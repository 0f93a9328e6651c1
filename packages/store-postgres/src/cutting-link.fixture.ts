import { createServer, connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { testUrl } from "./temporary-schema.fixture.ts";

/** A link to the database that can be cut. */
export interface CuttingLink extends AsyncDisposable {
  /** Connection string of the database through this link. */
  readonly url: string;
  /** Cuts the connection of the next commit, after the server answered it and before the answer arrives. */
  loseNextCommit(): void;
  /** Cuts the connection that sends the n-th message from now on; the server does not get it. */
  cutAtMessage(count: number): void;
  /** From now on, answers the ends of connections like a server that is shutting down. */
  shutDownAtEnds(): void;
  /** Number of cuts, and of answers that an end sent. */
  readonly cuts: number;
  /** Cuts every connection, and refuses new ones until `mend`. */
  breakDown(): void;
  mend(): void;
}

const reason = Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0");
const shutDown = Buffer.concat([Buffer.from("E"), Buffer.from([0, 0, 0, reason.length + 4]), reason]);

/** Forwards to the tests' database, message by message. */
export async function cuttingLink(): Promise<CuttingLink> {
  const target = new URL(testUrl);
  const sockets = new Set<Socket>();
  let losing = false;
  let countdown = 0;
  let cuts = 0;
  let broken = false;
  let shuttingDown = false;

  const server = createServer((near) => {
    if (broken) return near.destroy();
    const far = connect(Number(target.port || 5432), target.hostname);
    let answerless = false;
    const cut = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", cut);
      socket.on("close", () => (sockets.delete(socket), cut()));
    }
    near.on("data", (data: Buffer) => {
      // The message that ends a connection.
      if (shuttingDown && data[0] === 0x58) {
        cuts += 1;
        return near.write(shutDown, cut);
      }
      if (countdown > 0 && (countdown -= 1) === 0) {
        cuts += 1;
        return cut();
      }
      if (losing && data.includes("COMMIT\0")) {
        losing = false;
        answerless = true;
      }
      far.write(data);
    });
    far.on("data", (data: Buffer) => {
      if (!answerless) return near.write(data);
      cuts += 1;
      return cut();
    });
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(testUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    loseNextCommit: () => (losing = true),
    cutAtMessage: (count) => (countdown = count),
    get cuts() {
      return cuts;
    },
    shutDownAtEnds: () => (shuttingDown = true),
    breakDown() {
      broken = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => (broken = false),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
