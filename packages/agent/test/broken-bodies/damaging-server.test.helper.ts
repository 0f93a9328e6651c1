import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { damagedAnswer, wholeAnswer, type Damaged, type FormName } from "./damaged-answers.test.helper.ts";

/** A server that sends bytes, not messages. */
export interface DamagingServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Starts a server on loopback. The first part of a request's path is the index of a damaged answer, or `silent-`,
 * a form, and the number of bytes after which the server sends nothing more and keeps the connection open.
 */
export async function damagingServer(cases: readonly Damaged[]): Promise<DamagingServer> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // The client leaves broken answers.
    socket.on("error", () => undefined);
    let text = "";
    socket.on("data", (piece) => {
      text += piece.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (head === -1 || text.length < head + 4 + length) return;
      const name = /^POST \/([^/]+)/.exec(text)?.[1] ?? "";
      text = "";
      answer(socket, name);
    });
  });
  const answer = (socket: Socket, name: string): void => {
    const [, form, length] = /^silent-(.+)-(\d+)$/.exec(decodeURIComponent(name)) ?? [];
    if (form !== undefined) {
      socket.write(wholeAnswer(form as FormName).subarray(0, Number(length)));
      return;
    }
    const damaged = cases[Number(name)];
    if (damaged === undefined) throw new Error(`No answer for ${name}`);
    const bytes = damagedAnswer(damaged);
    if (damaged.damage === "reset") socket.write(bytes, () => socket.resetAndDestroy());
    else if (damaged.damage === "short") socket.write(bytes);
    else socket.end(bytes);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
