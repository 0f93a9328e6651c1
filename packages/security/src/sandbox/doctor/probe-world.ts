import type { Socket as DatagramSocket } from "node:dgram";
import type { ChildProcess } from "node:child_process";
import type { Server, Socket } from "node:net";

import { childProcess, crypto, dgram, fs, net, os, path, url } from "../node.ts";

/** Targets outside, as passed to the probes. */
interface ProbeTargets {
  readonly file: string;
  readonly folder: string;
  readonly module: string;
  readonly socket: string;
  readonly port: number;
  readonly datagramPort: number;
  readonly variable: string;
  /** A process that a probe may end. */
  readonly victim: number;
  readonly pid: number;
  readonly nonce: string;
  /** Report of a probe that reached something without a text form. */
  readonly read: string;
}

/** Worthless copies of the host's resources, with a record of their use. */
export interface ProbeWorld {
  readonly targets: ProbeTargets;
  /** Targets reached since the last time, a clause each. Waits until everything sent before has arrived. */
  reached(said: unknown): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Creates the targets of probes: a file, a folder, sockets, a variable, a process. */
export async function openProbeWorld(): Promise<ProbeWorld> {
  const nonce = crypto.randomBytes(12).toString("hex");
  const [secret, read, variable] = [`secret-${nonce}`, `read-${nonce}`, `BAILIWICK_PROBE_${nonce}`];
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "bailiwick-probe-"));
  const folder = path.join(root, "folder");
  const file = path.join(root, "file.cjs");
  fs.mkdirSync(folder);
  fs.writeFileSync(file, `module.exports = ${JSON.stringify(secret)};`);
  // The sandbox has to keep the code out, whatever user it runs as.
  for (const name of [root, folder]) fs.chmodSync(name, 0o777);
  process.env[variable] = secret;
  let visits = 0;
  const open = new Set<Socket>();
  const visited = (connection: Socket): void => {
    visits += 1;
    open.add(connection);
    connection.on("error", () => undefined);
    connection.on("data", () => connection.end(`HTTP/1.1 200 OK\r\ncontent-length: ${secret.length}\r\n\r\n${secret}`));
  };
  const socket = path.join(root, "socket");
  const [inet, unix] = [net.createServer(visited), net.createServer(visited)];
  const datagrams = dgram.createSocket("udp4");
  datagrams.on("message", (message) => {
    if (message.toString() !== nonce) visits += 1;
  });
  await Promise.all([
    listening(inet, { port: 0, host: "127.0.0.1" }),
    listening(unix, { path: socket }),
    bound(datagrams),
  ]);
  fs.chmodSync(socket, 0o777);
  let victim = startVictim();
  const address = inet.address();
  const targets: ProbeTargets = {
    file,
    folder,
    module: url.pathToFileURL(file).href,
    socket,
    port: typeof address === "object" && address !== null ? address.port : 0,
    datagramPort: datagrams.address().port,
    variable,
    get victim() {
      return victim.pid ?? 0;
    },
    pid: process.pid,
    nonce,
    read,
  };
  return {
    targets,
    async reached(said) {
      await Promise.all([
        askedLast({ port: targets.port, host: "127.0.0.1" }),
        askedLast({ path: socket }),
        sentLast(datagrams, nonce),
      ]);
      visits -= 2;
      const text = JSON.stringify(said) ?? "";
      const made = fs.readdirSync(folder);
      const isAlive = await answers(victim);
      const found = [
        ...(text.includes(secret) ? ["it read what was kept from it"] : []),
        ...(text.includes(read) ? ["it opened what was kept from it"] : []),
        ...(visits > 0 ? [`it connected ${visits} times`] : []),
        ...(made.length > 0 ? [`it wrote ${made.join(", ")}`] : []),
        ...(isAlive ? [] : ["it ended a process of the host"]),
      ];
      visits = 0;
      if (!isAlive) victim = startVictim();
      for (const name of made) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
      return found;
    },
    async close() {
      delete process.env[variable];
      victim.kill("SIGKILL");
      for (const connection of open) connection.destroy();
      datagrams.close();
      await Promise.all([closed(inet), closed(unix)]);
      fs.rmSync(root, { recursive: true, force: true });
    },
  };
}

function listening(
  server: Server,
  at: { readonly port: number; readonly host: string } | { readonly path: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(at, () => resolve());
  });
}

function bound(socket: DatagramSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(0, "127.0.0.1", () => resolve());
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** Connects after earlier connections, and waits until it is served. */
function askedLast(at: { readonly port: number; readonly host: string } | { readonly path: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(at);
    socket.on("error", reject);
    socket.on("close", () => resolve());
    socket.write("last");
    socket.resume();
  });
}

function sentLast(socket: DatagramSocket, text: string): Promise<void> {
  return new Promise((resolve) => {
    const onMessage = (message: Buffer): void => {
      if (message.toString() !== text) return;
      clearInterval(again);
      socket.off("message", onMessage);
      resolve();
    };
    const send = (): void => socket.send(text, socket.address().port, "127.0.0.1");
    // A datagram may be lost.
    const again = setInterval(send, 1_000);
    socket.on("message", onMessage);
    send();
  });
}

/** A process that echoes its input. */
function startVictim(): ChildProcess {
  const victim = childProcess.spawn(process.execPath, ["-e", "process.stdin.pipe(process.stdout)"], {
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  for (const stream of victim.stdio) stream?.on("error", () => undefined);
  return victim;
}

/** True if it still echoes its input. */
function answers(victim: ChildProcess): Promise<boolean> {
  if (victim.exitCode !== null || victim.signalCode !== null) return Promise.resolve(false);
  return new Promise((resolve) => {
    const done = (isAlive: boolean) => (): void => {
      victim.removeAllListeners("exit");
      victim.stdout?.removeAllListeners("data");
      resolve(isAlive);
    };
    victim.once("exit", done(false));
    victim.stdout?.once("data", done(true));
    victim.stdin?.write("?");
  });
}
