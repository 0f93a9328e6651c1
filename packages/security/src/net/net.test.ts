import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { guardedFetch, safePath } from "@bailiwick/security";

import { hoppingServer } from "./hopping-server.test.helper.ts";
import { pinnedFetch } from "./pinned-fetch.ts";
import { isPublicAddress } from "./public-address.ts";

test("a path is below its folder after links are resolved [secrets.safe-path]", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "root-")));
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "outside-")));
  mkdirSync(join(root, "notes"));
  writeFileSync(join(outside, "secret"), "x");
  symlinkSync(outside, join(root, "out"));
  symlinkSync(join(outside, "not-yet"), join(root, "dangling"));
  symlinkSync(join(root, "notes"), join(root, "in"));
  expect(await safePath(root, "notes/../notes/today.md")).toBe(join(root, "notes/today.md"));
  expect(await safePath(root, "in/deep/new.md")).toBe(join(root, "notes/deep/new.md"));
  for (const path of ["../x", "/etc/passwd", "notes/../../x", "out/secret", "out/new", "dangling", "a\0b"]) {
    await expect(safePath(root, path), path).rejects.toMatchObject({ code: "PATH_ESCAPE" });
  }
});

test("only public addresses count as public", () => {
  for (const address of [
    "127.0.0.1",
    "10.1.2.3",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::a00:1",
    "fe80::1",
    "fd00::1",
    "64:ff9b:0:0:0:0:a00:1",
    "0064:ff9b::10.0.0.1",
    "0:0:0:0:0:ffff:127.0.0.1",
    "0:0:0:0:0:ffff:a9fe:a9fe",
    "fe80::1%eth0",
    "2606:4700::1111%1",
    // One in each range that the IANA registries do not assign to the public internet.
    "64:ff9b::",
    "64:ff9b::1",
    "64:ff9b::1:a00:1",
    "64:ff9b:1::1",
    "100::1",
    "100:0:0:1::1",
    "200::1",
    "300::1",
    "1fff:ffff::1",
    "2001::1",
    "2001:db8::1",
    "2002:a00:1::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "8000::1",
    "c000::1",
    "e000::1",
    "fe00::1",
    "fec0::1",
    "ff02::1",
    "x",
  ]) {
    expect(isPublicAddress(address), address).toBe(false);
  }
  for (const address of [
    "1.1.1.1",
    "8.8.8.8",
    "2606:4700::1111",
    "2001:4860::8888",
    "2a00::1",
    "3ffe::1",
    "64:ff9b::808:808",
    "::ffff:8.8.8.8",
    "0:0:0:0:0:ffff:808:808",
  ])
    expect(isPublicAddress(address), address).toBe(true);
});

test("no request is sent to addresses that are not public, by name, number or redirect [secrets.guarded-fetch]", async () => {
  let visits = 0;
  using server = await hoppingServer(() => (visits += 1));
  const { host, port } = server;
  for (const url of [
    `http://${host}/`,
    `http://localhost:${port}/`,
    "http://[::1]:1/",
    "http://2130706433/",
    "file:///etc/passwd",
    "http://a:b@example.com/",
  ]) {
    await expect(guardedFetch()(url), url).rejects.toMatchObject({ code: "EGRESS_DENIED" });
  }
  expect(visits).toBe(0);
  const allowed = guardedFetch({ allowHosts: [host] });
  expect(await (await allowed(`http://${host}/`)).text()).toBe("ok");
  await expect(allowed(`http://${host}/hop`)).rejects.toMatchObject({ code: "EGRESS_DENIED" });
  expect(visits).toBe(2);
});

test("guardedFetch({ namedBy }) allows the server itself, https to public addresses, and loopback for a server on loopback [mcp.named-addresses]", async () => {
  let visits = 0;
  using server = await hoppingServer(() => {
    visits += 1;
  });
  const { host, port } = server;
  const other = `http://localhost:${port}/end`;
  for (const namedBy of [`http://${host}`, `http://localhost:${port + 1}`, "http://[::1]/mcp"]) {
    const local = guardedFetch({ namedBy });
    expect(await (await local(other)).text()).toBe("ok");
    expect(await (await local(`http://${host}/hop`)).text()).toBe("ok");
  }
  visits = 0;
  for (const namedBy of ["https://server.example", "http://10.0.0.1/mcp", "https://localhost.example"]) {
    const remote = guardedFetch({ namedBy });
    await expect(remote(other), namedBy).rejects.toMatchObject({ code: "EGRESS_DENIED" });
    await expect(remote("http://1.1.1.1/"), namedBy).rejects.toThrow(/must use https/u);
  }
  const onLoopback = guardedFetch({ namedBy: `http://${host}` });
  for (const url of ["http://10.0.0.1/", "https://192.168.0.1/", "http://1.1.1.1/"])
    await expect(onLoopback(url), url).rejects.toMatchObject({ code: "EGRESS_DENIED" });
  // Its own origin may redirect to what it may name, and to nothing else.
  const redirecting = guardedFetch({
    namedBy: "https://server.example",
    fetch: async () => new Response(null, { status: 307, headers: { location: other } }),
  });
  await expect(redirecting("https://server.example/")).rejects.toMatchObject({ code: "EGRESS_DENIED" });
  expect(visits).toBe(0);
  const wildcard = guardedFetch({ namedBy: "https://server.example", allowHosts: ["localhost"] });
  expect(await (await wildcard(other)).text()).toBe("ok");
  expect(() => guardedFetch({ allowHosts: ["http://a/"] })).toThrow(expect.objectContaining({ code: "INVALID_HOST" }));
});

test("the connection is made to the address that was checked, even if the name resolves to another one later [secrets.guarded-fetch]", async () => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.writeHead(201, { "x-host": request.headers.host });
      response.end(`${request.method} ${Buffer.concat(chunks).toString()}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const init = {
      method: "POST",
      headers: new Headers({ "x-a": "1" }),
      body: new TextEncoder().encode("hi").buffer,
      signal: AbortSignal.timeout(120_000),
    };
    const response = await pinnedFetch(new URL(`http://no-such-name.example:${port}/`), init, [
      { address: "127.0.0.1", family: 4 },
    ]);
    expect([response.status, response.headers.get("x-host"), await response.text()]).toEqual([
      201,
      `no-such-name.example:${port}`,
      "POST hi",
    ]);
  } finally {
    server.close();
  }
});
