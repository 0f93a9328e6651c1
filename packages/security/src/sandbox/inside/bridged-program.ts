import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";

/**
 * Starts a program whose requests use the proxy: its environment names a web proxy, which is a port in this sandbox
 * that leads to the socket outside. Node programs also have a `fetch` that uses the proxy without TLS.
 *
 * @param socket - The proxy's, bound into the sandbox.
 * @param command - The program.
 * @param args - Its arguments.
 */
export function bridgedProgram(socket: string, command: string, args: readonly string[]): void {
  const bridge = createServer((inside) => {
    const outside = connect(socket);
    inside.on("error", () => outside.destroy());
    outside.on("error", () => inside.destroy());
    inside.pipe(outside).pipe(inside);
  });
  bridge.listen(0, "127.0.0.1", () => {
    const { port } = bridge.address() as AddressInfo;
    const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...proxyVariables(port) } });
    child.on("error", (error) => {
      process.stderr.write(`${error.message}\n`);
      process.exit(127);
    });
    child.on("exit", (code, signal) => {
      if (signal === null) process.exit(code ?? 1);
      // Ends like the program, so that a waiting process sees the same end.
      process.kill(process.pid, signal);
    });
  });
}

function proxyVariables(port: number): Readonly<Record<string, string>> {
  const proxy = `http://127.0.0.1:${port}`;
  const name = import.meta.url.endsWith(".ts") ? "../sandboxed-fetch.worker.ts" : "./sandboxed-fetch.worker.js";
  const preload = `--import=${new URL(name, import.meta.url).href}`;
  const options = process.env["NODE_OPTIONS"];
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NODE_USE_ENV_PROXY: "1",
    NODE_OPTIONS: options === undefined ? preload : `${options} ${preload}`,
  };
}
