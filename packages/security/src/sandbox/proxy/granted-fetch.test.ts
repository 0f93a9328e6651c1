import dns from "node:dns/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";

import { grantedFetch } from "./granted-fetch.ts";
import { openTunnel } from "./open-tunnel.ts";

async function listening(): Promise<{ readonly port: number; readonly heard: (string | undefined)[] }> {
  const heard: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url);
    if (request.url === "/hop") response.writeHead(307, { location: "http://elsewhere.example/" });
    response.end("answered");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, heard };
}

/** Resolves every name to this machine. */
function namesMeanThisMachine(): void {
  const spy = vi.spyOn(dns, "lookup").mockResolvedValue([{ address: "127.0.0.1", family: 4 }] as never);
  onTestFinished(() => spy.mockRestore());
}

test("a granted name cannot resolve to a private address [sandbox.os] [feature:S164]", async () => {
  namesMeanThisMachine();
  const { port, heard } = await listening();
  const host = `internal.example:${port}`;
  await expect(grantedFetch([host], globalThis.fetch)(`http://${host}/`)).rejects.toThrow(
    "127.0.0.1 is not a public address",
  );
  const inside = new PassThrough();
  await openTunnel(host, inside, new Uint8Array(), [host]);
  expect(String(inside.read())).toMatch(/^HTTP\/1.1 403 /u);
  expect(heard).toEqual([]);
});

test("an explicitly listed address is reachable, others are not, even by a redirect [sandbox.os] [feature:S164]", async () => {
  const { port, heard } = await listening();
  const send = grantedFetch([`127.0.0.1:${port}`], globalThis.fetch);
  expect(await (await send(`http://127.0.0.1:${port}/`)).text()).toBe("answered");
  for (const url of [`http://127.0.0.1:${port}/hop`, "http://127.0.0.1:1/", "https://example.com/"]) {
    await expect(send(url), url).rejects.toMatchObject({ code: "EGRESS_DENIED" });
  }
  expect(heard).toEqual(["/", "/hop"]);
});

test("without a network nothing is sent; an application's own fetch reaches only granted hosts [sandbox.os]", async () => {
  await expect(grantedFetch("none", globalThis.fetch)("https://example.com/")).rejects.toMatchObject({
    code: "EGRESS_DENIED",
  });
  const sent: string[] = [];
  const own: typeof fetch = (input) => {
    sent.push(new Request(input).url);
    return Promise.resolve(new Response("own"));
  };
  const send = grantedFetch(["*.example.com"], own);
  expect(await (await send("https://api.example.com/")).text()).toBe("own");
  for (const url of ["https://example.com/", "https://example.com.evil.test/", "https://evilexample.com/"]) {
    await expect(send(url), url).rejects.toMatchObject({ code: "EGRESS_DENIED" });
  }
  expect(sent).toEqual(["https://api.example.com/"]);
});
