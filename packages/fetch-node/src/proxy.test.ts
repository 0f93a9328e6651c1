import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Answers every request with a name, also those whose address names another host, as a proxy gets them. */
async function serve(name: string): Promise<string> {
  const server = createServer((_request, response) => response.end(name));
  // A proxy is asked for a tunnel to the host, which is this server itself.
  server.on("connect", (_request, socket) => {
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    server.emit("connection", socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const program = fileURLToPath(new URL("./ask-through-proxy.fixture.ts", import.meta.url));

async function answer(
  url: string,
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<string> {
  const { HTTP_PROXY: _, http_proxy: __, NO_PROXY: ___, no_proxy: ____, ...rest } = process.env;
  const args = ["--conditions=@bailiwick/source", "--disable-warning=ExperimentalWarning", ...flags, program, url];
  return (await promisify(execFile)(process.execPath, args, { env: { ...rest, ...env } })).stdout;
}

test("requests go through the proxy of the environment where the platform's fetch does [providers.http.proxy]", async () => {
  const [proxy, server] = [await serve("the proxy"), await serve("the server")];
  const on = { NODE_USE_ENV_PROXY: "1" };
  expect(await answer(server, { ...on, HTTP_PROXY: proxy })).toBe("200 the proxy");
  expect(await answer(server, { ...on, http_proxy: proxy })).toBe("200 the proxy");
  expect(await answer(server, { HTTP_PROXY: proxy }, ["--use-env-proxy"])).toBe("200 the proxy");
  expect(await answer(server, { NODE_OPTIONS: "--use-env-proxy", HTTP_PROXY: proxy })).toBe("200 the proxy");
  expect(await answer(server, { ...on, HTTP_PROXY: proxy, NO_PROXY: "127.0.0.1" })).toBe("200 the server");
  // The platform ignores these variables unless it is asked to use them.
  expect(await answer(server, { HTTP_PROXY: proxy })).toBe("200 the server");
  expect(await answer(server, on)).toBe("200 the server");
});
