import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";

import { egressFetch } from "../secrets/egress-fetch.ts";
import { guardedFetch } from "./guarded-fetch.ts";

const statuses = [300, 301, 302, 303, 304, 305, 306, 307, 308];
const methods = ["GET", "HEAD", "POST", "PUT", "DELETE"];
const shown = [
  "authorization",
  "cookie",
  "x-key",
  "content-type",
  "content-encoding",
  "content-language",
  "content-location",
];

/** The requests that arrived, hop by hop. */
let seen: {
  readonly method: string | undefined;
  readonly url: string;
  readonly headers: object;
  readonly body: string;
}[] = [];
let port = 0;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const url = new URL(request.url ?? "/", "http://x");
    const headers = Object.fromEntries(
      shown.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]])),
    );
    seen.push({
      method: request.method,
      url: `${request.headers.host} ${url.pathname}`,
      headers,
      body: Buffer.concat(chunks).toString(),
    });
    const status = Number(url.searchParams.get("status") ?? (url.pathname === "/loop" ? 302 : 200));
    const location = url.searchParams.get("to") ?? (url.pathname === "/loop" ? "/loop" : null);
    response.writeHead(status, location === null ? {} : { location });
    response.end(status === 304 ? undefined : "end");
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, resolve)));
beforeAll(() => {
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close());

const at = (host: string, path: string): string => `http://${host}:${port}${path}`;

/** Both clients, and the platform's own `fetch`, which follows the standard. */
function clients(): Readonly<Record<string, typeof fetch>> {
  const secret = { name: "KEY", marker: "marker-of-key", value: "value-of-key", hosts: ["127.0.0.1", "localhost"] };
  return {
    platform: fetch,
    "ctx.fetch": egressFetch([secret]),
    guardedFetch: guardedFetch({ allowHosts: ["127.0.0.1", "localhost"] }),
  };
}

async function visit(client: typeof fetch, path: string, init: RequestInit): Promise<unknown> {
  seen = [];
  try {
    const response = await client(at("127.0.0.1", path), init);
    return { status: response.status, text: await response.text(), seen };
  } catch (error) {
    return { failed: error instanceof TypeError, seen };
  }
}

test("each status and method is redirected, or not, by the Fetch standard [secrets.guarded-fetch] [secrets.header]", async () => {
  const { platform, ...ours } = clients();
  for (const status of statuses) {
    for (const method of methods) {
      for (const to of [at("127.0.0.1", "/next"), at("localhost", "/next"), "/next", "/next?a#b"]) {
        const path = `/first?status=${status}&to=${encodeURIComponent(to)}`;
        const init: RequestInit = {
          method,
          headers: {
            authorization: "Bearer a",
            "x-key": "k",
            "content-encoding": "identity",
            "content-language": "en",
            "content-location": "/c",
            ...(method === "POST" && { "content-type": "text/plain" }),
          },
          ...(method === "POST" || method === "PUT" ? { body: "hello" } : {}),
        };
        const expected = await visit(platform as typeof fetch, path, init);
        for (const [name, client] of Object.entries(ours))
          expect(await visit(client, path, init), `${name}: ${method}, ${status} to ${to}`).toEqual(expected);
      }
    }
  }
});

test("a cookie stays with the origin that it was set for [secrets.guarded-fetch] [secrets.header]", async () => {
  for (const client of Object.values(clients()).slice(1)) {
    const init = { headers: { cookie: "a=1", authorization: "Bearer a", "x-key": "k" } };
    await visit(client, `/first?status=302&to=${encodeURIComponent(at("localhost", "/next"))}`, init);
    expect(seen.map(({ headers }) => Object.keys(headers))).toEqual([["authorization", "cookie", "x-key"], ["x-key"]]);
    await visit(client, "/first?status=302&to=/next", init);
    expect(seen.map(({ headers }) => Object.keys(headers))[1]).toEqual(["authorization", "cookie", "x-key"]);
  }
});

test("a redirect to something other than a web address, or without end, is refused [secrets.guarded-fetch] [secrets.header]", async () => {
  for (const [name, client] of Object.entries(clients())) {
    for (const to of ["data:text/plain,hello", "file:///etc/passwd", "http://[", "javascript:1"]) {
      const result = await visit(client, `/first?status=302&to=${encodeURIComponent(to)}`, {}).catch(
        (error: unknown) => error,
      );
      expect(result, `${name} to ${to}`).toMatchObject({ seen: [{ method: "GET" }] });
      expect(result).not.toHaveProperty("status");
    }
  }
  const [, ctxFetch, guarded] = Object.values(clients());
  for (const [client, hops] of [
    [ctxFetch, 11],
    [guarded, 6],
  ] as const) {
    seen = [];
    await expect(client?.(at("127.0.0.1", "/loop"))).rejects.toThrow(/redirects/u);
    expect(seen).toHaveLength(hops);
  }
});

test("a marker in a body is replaced, bytes stay bytes, and a body that was a stream is not sent twice [secrets.header]", async () => {
  const client = clients()["ctx.fetch"] as typeof fetch;
  await visit(client, "/first?status=307&to=/next", { method: "POST", body: "key=marker-of-key" });
  expect(seen.map(({ body }) => body)).toEqual(["key=value-of-key", "key=value-of-key"]);
  seen = [];
  await client(new Request(at("127.0.0.1", "/first"), { method: "POST", body: "key=marker-of-key" }));
  expect(seen[0]?.body).toBe("key=value-of-key");
  const bytes = new Uint8Array([0, 255, 254, 195, 40]);
  let raw = Buffer.alloc(0);
  const echo = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      raw = Buffer.concat(chunks);
      response.end();
    });
  });
  await new Promise<void>((resolve) => echo.listen(0, resolve));
  const to = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/`;
  await client(new Request(to, { method: "POST", body: bytes }));
  expect([...raw]).toEqual([...bytes]);
  echo.close();
  const streamed = (): RequestInit => ({
    method: "POST",
    duplex: "half",
    body: new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("streamed"));
        controller.close();
      },
    }),
  });
  seen = [];
  await expect(client(at("127.0.0.1", "/first?status=307&to=/next"), streamed())).rejects.toThrow("body was a stream");
  expect(seen).toHaveLength(1);
  expect(await visit(client, "/first?status=303&to=/next", streamed())).toMatchObject({ status: 200 });
  expect(seen.map(({ method, body }) => `${method} ${body}`)).toEqual(["POST streamed", "GET "]);
});
