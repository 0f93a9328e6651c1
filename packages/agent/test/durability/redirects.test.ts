import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fetchNode } from "@bailiwick/fetch-node";
import { downloadFile, egressFetch, guardedFetch } from "@bailiwick/security/net";
import { afterAll, beforeAll, expect, test } from "vitest";

// Two packages follow redirects, because neither may use the other: the lean fetch, and the guards of the security
// package. Both have to decide like the platform, which follows the standard.

const statuses = [300, 301, 302, 303, 304, 305, 306, 307, 308];
const methods = ["GET", "HEAD", "POST", "PUT", "DELETE"];
const shown = ["authorization", "x-key", "content-type", "content-encoding", "content-language", "content-location"];

/** The requests that arrived, hop by hop. */
let seen: unknown[] = [];
let port = 0;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const url = new URL(request.url ?? "/", "http://x");
    const { method, headers } = request;
    const kept = shown.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
    seen.push([method, `${headers.host}${request.url}`, Object.fromEntries(kept), Buffer.concat(chunks).toString()]);
    const hop = url.pathname === "/first" || url.pathname === "/loop";
    const location = url.pathname === "/loop" ? "/loop" : url.searchParams.get("to");
    response.writeHead(
      hop ? Number(url.searchParams.get("status") ?? 302) : 200,
      location === null ? {} : { location },
    );
    response.end(method === "HEAD" || url.searchParams.get("status") === "304" ? undefined : "end");
  });
});
const lean = fetchNode();
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  await lean.close();
  server.close();
  server.closeAllConnections();
});

const at = (host: string, path: string): string => `http://${host}:${port}${path}`;
const local = ["127.0.0.1", "localhost"];

const clients: Readonly<Record<string, typeof fetch>> = {
  platform: fetch,
  "fetchNode()": lean,
  "ctx.fetch": egressFetch([]),
  "ctx.fetch over fetchNode()": egressFetch([], lean),
  "guardedFetch()": guardedFetch({ allowHosts: local }),
  "guardedFetch() of a server": guardedFetch({ namedBy: "http://127.0.0.1:1", allowHosts: local, fetch: lean }),
};

/** The answer and the requests, or the failure and the requests. */
async function visit(client: typeof fetch, path: string, init: RequestInit): Promise<unknown> {
  seen = [];
  try {
    const response = await client(at("127.0.0.1", path), { signal: AbortSignal.timeout(120_000), ...init });
    return { status: response.status, text: await response.text(), seen };
  } catch (error) {
    if ((error as Error).name === "TimeoutError") throw error;
    return { failed: true, seen };
  }
}

/** Targets of a redirect; `undefined` is an answer without a location. */
const targets = (): readonly (string | undefined)[] => [
  at("127.0.0.1", "/next"),
  at("localhost", "/next"),
  "/next?a#b",
  "next",
  "?status=200",
  undefined,
  `https://127.0.0.1:${port}/next`,
  `//localhost:${port}/next`,
  "data:text/plain,hello",
  "file:///etc/passwd",
  "javascript:1",
  "ftp://127.0.0.1/x",
  "http://[",
];

const pathTo = (status: number, to: string | undefined): string =>
  `/first?status=${status}${to === undefined ? "" : `&to=${encodeURIComponent(to)}`}`;

test.each(statuses)("every fetch decides about a redirect with status %i as the platform does", async (status) => {
  for (const method of methods) {
    for (const to of targets()) {
      const hasBody = method === "POST" || method === "PUT";
      const init: RequestInit = {
        method,
        headers: {
          authorization: "Bearer a",
          "x-key": "k",
          "content-language": "en",
          "content-location": "/c",
          ...(hasBody && { "content-type": "text/plain", "content-encoding": "identity" }),
        },
        ...(hasBody && { body: "hello" }),
      };
      const expected = await visit(clients["platform"] as typeof fetch, pathTo(status, to), init);
      for (const [name, client] of Object.entries(clients))
        expect(await visit(client, pathTo(status, to), init), `${name}: ${method}, ${status} to ${to}`).toEqual(
          expected,
        );
    }
  }
});

test("a download follows the redirects that the platform follows, over https alone", async () => {
  // The server has no certificate: requests over https are sent to it over http.
  const plain: typeof fetch = (input, init) => fetch((input as URL).href.replace("https:", "http:"), init);
  for (const status of statuses) {
    for (const to of ["/next?a", "next", `//localhost:${port}/next`, undefined]) {
      const expected = (await visit(fetch, pathTo(status, to), {})) as { readonly status: number };
      const requests = [...seen];
      seen = [];
      const file = await downloadFile(`https://127.0.0.1:${port}${pathTo(status, to)}`, { fetch: plain }).catch(
        (error: Error) => error.message,
      );
      expect(seen, `${status} to ${to}`).toEqual(requests);
      expect(typeof file === "object", `${status} to ${to}`).toBe(expected.status === 200);
    }
    seen = [];
    await downloadFile(`https://127.0.0.1:${port}${pathTo(status, at("127.0.0.1", "/next"))}`, { fetch: plain }).catch(
      () => undefined,
    );
    expect(seen).toHaveLength(1);
  }
});

test("a redirect to a private address is refused before it is requested; a loop ends", async () => {
  const guarded = guardedFetch({ allowHosts: ["127.0.0.1"] });
  for (const host of ["localhost", "[::1]", "10.0.0.1", "169.254.169.254", "[::ffff:127.0.0.1]", "0.0.0.0"]) {
    for (const status of [301, 302, 303, 307, 308]) {
      const path = pathTo(status, `http://${host}:${port}/next`);
      await expect(guarded(at("127.0.0.1", path)), `${status} to ${host}`).rejects.toMatchObject({
        code: "EGRESS_DENIED",
      });
    }
  }
  const hops = { "fetchNode()": 21, "ctx.fetch": 11, "guardedFetch()": 6 };
  for (const [name, most] of Object.entries(hops)) {
    seen = [];
    await expect((clients[name] as typeof fetch)(at("127.0.0.1", "/loop")), name).rejects.toThrow(
      /redirects|fetch failed/u,
    );
    expect(seen, name).toHaveLength(most);
  }
});
