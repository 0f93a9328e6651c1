import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";

import * as fc from "fast-check";
import { afterEach, expect, test } from "vitest";

import { fetchNode } from "@bailiwick/fetch-node";
import type { WithBodyChunks } from "@bailiwick/fetch-node";

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function echo(): Promise<string> {
  return serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      response.setHeader("x-method", request.method ?? "");
      response.end(
        JSON.stringify({ body: Buffer.concat(chunks).toString("utf8"), headers: request.headers, url: request.url }),
      );
    });
  });
}

test("any text is decoded as the global fetch decodes it", async () => {
  const url = await echo();
  await using lean = fetchNode();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), async (body) => {
      const init = { method: "POST", body, headers: { "content-type": "text/plain" } };
      const mine = (await (await lean(`${url}/a?b=c`, init)).json()) as { body: string; url: string };
      const theirs = (await (await fetch(`${url}/a?b=c`, init)).json()) as { body: string; url: string };
      expect(mine.body).toBe(theirs.body);
      expect(mine.url).toBe(theirs.url);
    }),
    { numRuns: 30 },
  );
});

test("a response has its status and headers, and each way to read its body works", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(418, "Teapot", { "content-type": "text/plain", "x-a": ["1", "2"] });
    response.end("héllo");
  });
  await using lean = fetchNode();
  const first = await lean(url);
  expect([first.ok, first.status, first.statusText, first.headers.get("x-a"), first.bodyUsed]).toEqual([
    false,
    418,
    "Teapot",
    "1, 2",
    false,
  ]);
  const copy = first.clone();
  expect(await first.text()).toBe("héllo");
  expect(first.bodyUsed).toBe(true);
  expect(await copy.text()).toBe("héllo");
  await expect(first.text()).rejects.toThrow(TypeError);
  expect(Buffer.from(await (await lean(url)).arrayBuffer()).toString()).toBe("héllo");
  expect(await (await (await lean(url)).blob()).text()).toBe("héllo");
  const reader = (await lean(url)).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("héllo");
  await reader?.cancel();
});

test("a body in pieces arrives in order, also past the pause mark", async () => {
  const pieces = Array.from({ length: 40 }, (_, index) => String.fromCharCode(65 + (index % 26)).repeat(50_000));
  const url = await serve((_request, response) => {
    for (const piece of pieces) response.write(piece);
    response.end();
  });
  await using lean = fetchNode();
  const response = (await lean(url)) as Response & WithBodyChunks;
  await new Promise((resolve) => setTimeout(resolve, 50));
  let text = "";
  for await (const chunk of response.bodyChunks()) text += Buffer.from(chunk).toString("latin1");
  expect(text).toBe(pieces.join(""));
});

test("abort before, during and after the headers rejects with the reason and closes the connection", async () => {
  let arrived = 0;
  let closed = 0;
  const url = await serve((request, response) => {
    arrived += 1;
    response.on("close", () => {
      if (!response.writableEnded) closed += 1;
    });
    if (request.url === "/slow-body") response.write("first");
  });
  await using lean = fetchNode();
  const reason = new Error("stop");
  await expect(lean(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const before = new AbortController();
  const waiting = lean(`${url}/never`, { signal: before.signal });
  await expect.poll(() => arrived).toBe(1);
  before.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  const during = new AbortController();
  const response = await lean(`${url}/slow-body`, { signal: during.signal });
  const text = response.text();
  setTimeout(() => during.abort(reason), 30);
  await expect(text).rejects.toBe(reason);
  await expect.poll(() => closed).toBe(2);
});

test("leaving a body early closes its connection", async () => {
  let closed = false;
  const url = await serve((_request, response) => {
    response.on("close", () => {
      closed = true;
    });
    response.write("first");
  });
  await using lean = fetchNode();
  const response = (await lean(url)) as Response & WithBodyChunks;
  for await (const chunk of response.bodyChunks()) {
    expect(Buffer.from(chunk).toString()).toBe("first");
    break;
  }
  await expect.poll(() => closed).toBe(true);
});

test("a broken connection is a TypeError with its cause, like the global fetch's", async () => {
  const url = await serve((request) => request.socket.destroy());
  await using lean = fetchNode();
  const error = await lean(url).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).cause).toBeInstanceOf(Error);
  const cut = await serve((_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("part");
    setTimeout(() => response.socket?.destroy(), 20);
  });
  await expect((await lean(cut)).text()).rejects.toThrow(TypeError);
});

test("redirects are followed, refused or returned, and a compressed answer is decompressed", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/to") response.end("there");
    else if (request.url === "/gzip") {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(gzipSync("small"));
    } else if (request.url === "/odd") {
      response.writeHead(200, { "content-encoding": "odd" });
      response.end("?");
    } else {
      response.writeHead(307, { location: "/to" });
      response.end();
    }
  });
  await using lean = fetchNode();
  expect(await (await lean(`${url}/from`)).text()).toBe("there");
  expect((await lean(`${url}/from`, { redirect: "manual" })).status).toBe(307);
  await expect(lean(`${url}/from`, { redirect: "error" })).rejects.toThrow("fetch failed");
  expect(await (await lean(`${url}/gzip`)).text()).toBe("small");
  await expect(lean(`${url}/odd`)).rejects.toThrow("fetch failed");
});

test("each encoding is decoded in whatever pieces it arrives, and an empty body is not a failure", async () => {
  const text = "A text that is long enough to be worth it. ".repeat(200);
  const coded: Readonly<Record<string, readonly [string, Buffer]>> = {
    gzip: ["gzip", gzipSync(text)],
    upper: ["X-GZIP", gzipSync(text)],
    zlib: ["deflate", deflateSync(text)],
    raw: ["deflate", deflateRawSync(text)],
    br: ["br", brotliCompressSync(text)],
    twice: ["deflate, identity, gzip", gzipSync(deflateSync(text))],
  };
  const url = await serve((request, response) => {
    const [encoding, bytes] = coded[request.url?.slice(1) ?? ""] ?? ["gzip", Buffer.alloc(0)];
    response.writeHead(200, { "content-encoding": encoding });
    const send = (at: number): void => {
      if (at === bytes.length) response.end();
      else response.write(bytes.subarray(at, at + 1), () => send(at + 1));
    };
    send(0);
  });
  await using lean = fetchNode();
  for (const name of Object.keys(coded))
    expect([name, await (await lean(`${url}/${name}`)).text()]).toEqual([name, text]);
  expect(await (await lean(`${url}/empty`)).text()).toBe("");
});

test("a reader that leaves a compressed or silent body closes its connection at once", async () => {
  let closed = 0;
  const url = await serve((request, response) => {
    response.on("close", () => {
      closed += 1;
    });
    const encoding = request.url === "/gzip" ? { "content-encoding": "gzip" } : {};
    response.writeHead(200, encoding).write(request.url === "/gzip" ? gzipSync("small").subarray(0, 12) : "a");
  });
  await using lean = fetchNode();
  for (const path of ["/gzip", "/plain"]) {
    const before = closed;
    const reader = (await lean(url + path)).body?.getReader();
    if (path === "/plain") await reader?.read();
    const waiting = reader?.read();
    await reader?.cancel();
    expect(await waiting).toEqual({ done: true, value: undefined });
    await expect.poll(() => closed).toBe(before + 1);
  }
});

test("a form body is sent by the global fetch", async () => {
  const url = await echo();
  await using lean = fetchNode();
  const form = new FormData();
  form.set("a", "1");
  const answer = (await (await lean(url, { method: "POST", body: form })).json()) as { body: string };
  expect(answer.body).toContain('name="a"');
});

test("credentials do not follow a redirect to another origin, and a POST becomes a GET as the standard says", async () => {
  const seen: string[] = [];
  const note = (request: {
    method?: string | undefined;
    url?: string | undefined;
    headers: Record<string, unknown>;
  }): void => {
    seen.push(
      `${request.method} ${request.url} ${String(request.headers["authorization"])} ${String(request.headers["content-type"])}`,
    );
  };
  const other = await serve((request, response) => {
    note(request);
    response.end("other");
  });
  const url = await serve((request, response) => {
    note(request);
    if (request.url === "/away") response.writeHead(307, { location: `${other}/end` });
    else if (request.url === "/get") response.writeHead(302, { location: "/end" });
    else if (request.url === "/round") response.writeHead(302, { location: "/round" });
    response.end("here");
  });
  await using lean = fetchNode();
  const init = { method: "POST", body: "x", headers: { authorization: "Bearer k", "content-type": "text/plain" } };
  const away = await lean(`${url}/away`, init);
  expect([await away.text(), away.redirected, away.url]).toEqual(["other", true, `${other}/end`]);
  await (await lean(`${url}/get`, init)).text();
  expect(seen).toEqual([
    "POST /away Bearer k text/plain",
    "POST /end undefined text/plain",
    "POST /get Bearer k text/plain",
    "GET /end Bearer k undefined",
  ]);
  await expect(lean(`${url}/round`)).rejects.toThrow("fetch failed");
});

test("a request made as soon as the answer ends reuses the connection", async () => {
  const url = await echo();
  let connections = 0;
  servers[0]?.on("connection", () => {
    connections += 1;
  });
  await using lean = fetchNode();
  for (let round = 0; round < 5; round += 1) await (await lean(url, { method: "POST", body: "again" })).json();
  expect(connections).toBe(1);
});

test.each([
  [
    { keepAliveTimeout: 1_000 },
    `"keepAliveTimeout" is not an option of fetchNode(). It has connections, keepAliveTimeoutMs, bodyTimeoutMs.`,
    "UNKNOWN_OPTION",
  ],
  [{ connections: 0 }, `fetchNode() takes a whole number from 1 as "connections".`, "INVALID_OPTION"],
  [{ bodyTimeoutMs: "5s" }, `fetchNode() takes a whole number from 0 as "bodyTimeoutMs".`, "INVALID_OPTION"],
])("invalid options, %j, are refused when they are given", (options, message, code) => {
  expect(() => fetchNode(options as object)).toThrow(expect.objectContaining({ message, code }) as Error);
});
