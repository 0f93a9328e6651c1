import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

import { hostIsListed } from "../../net/index.ts";
import { isPublicAddress } from "../../net/index.ts";
import { dns, net } from "../node.ts";
import { meantThoughLocal } from "./granted-fetch.ts";

/** Ports that a tunnel may use if the grant names none. */
const webPorts = new Set(["80", "443"]);
const connectTimeoutMs = 30_000;

/**
 * Connects a sandbox with a granted host, at an address that was resolved and checked here.
 *
 * @param target - `host:port`, from inside.
 * @param inside - The sandbox's end.
 * @param head - Its first bytes.
 * @param hosts - Granted.
 */
export async function openTunnel(
  target: string,
  inside: Duplex,
  head: Uint8Array,
  hosts: readonly string[],
): Promise<void> {
  inside.on("error", () => undefined);
  const refused = (status: string): void => void inside.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
  try {
    const url = new URL(`https://${target}`);
    const port = url.port === "" ? "443" : url.port;
    const hostname = url.hostname.replace(/^\[|\]$/gu, "");
    if (!hostIsListed(url, hosts) || !(webPorts.has(port) || hosts.includes(`${url.hostname}:${port}`))) {
      refused("403 Forbidden");
      return;
    }
    const addresses = await dns.lookup(hostname, { all: true });
    const isMeant = hostIsListed(url, meantThoughLocal(hosts));
    const [first] = addresses;
    if (first === undefined || (!isMeant && addresses.some(({ address }) => !isPublicAddress(address)))) {
      refused("403 Forbidden");
      return;
    }
    const outside = await connected(first.address, Number(port));
    outside.on("error", () => inside.destroy());
    inside.on("close", () => outside.destroy());
    outside.on("close", () => inside.destroy());
    inside.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) outside.write(head);
    inside.pipe(outside).pipe(inside);
  } catch {
    refused("502 Bad Gateway");
  }
}

function connected(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, timeout: connectTimeoutMs });
    socket.once("error", reject);
    socket.once("timeout", () => socket.destroy(new Error("The host did not answer.")));
    socket.once("connect", () => {
      socket.off("error", reject);
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}
