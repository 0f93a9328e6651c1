import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sandboxedTool } from "@bailiwick/core";
import { secrets } from "@bailiwick/security";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

import { calls, openAgent } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

async function moduleFile(source: string): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), "bailiwick-agent-os-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "tool.mjs");
  await writeFile(file, source);
  return pathToFileURL(file);
}

async function listening(): Promise<{ readonly host: string; readonly heard: (string | undefined)[] }> {
  const heard: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers.authorization);
    response.end("answered");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

test("a sandboxed tool sends a secret that it never sees, only to the bound host [sandbox.os] [secrets.header]", async () => {
  const [bound, other] = [await listening(), await listening()];
  const source = `
    export const run = async (input, ctx) => {
      const authorization = await ctx.secretHeader("KEY", "Bearer {}");
      const ask = (host) => ctx.fetch("http://" + host + "/", { headers: { authorization } }).then((response) => response.text(), (error) => error.message);
      return {
        process: process.getuid(), environment: process.env, marker: authorization,
        bound: await ask(input.bound), other: await ask(input.other), ungranted: await ask("localhost:9"),
        denied: await ctx.secretHeader("OTHER").catch((error) => error.message),
      };
    };`;
  const asks = sandboxedTool({
    name: "t",
    description: "Asks.",
    inputSchema: z.object({ bound: z.string(), other: z.string() }),
    sideEffectClass: "read-only",
    secretsAllowed: ["KEY"],
    execute: { module: await moduleFile(source), export: "run" },
    timeoutMs: 120_000,
    sandboxPolicy: { tier: "os", timeout: 120_000, allowNetwork: [bound.host, other.host] },
  });
  const agent = new Agent({
    ...openAgent,
    model: calls({ name: "t", arguments: { bound: bound.host, other: other.host } }),
    tools: [asks],
    secrets: secrets({
      KEY: { from: () => "sk-value-of-the-key", hosts: [bound.host] },
      OTHER: { from: () => "sk-value-of-another" },
    }),
  });
  const result = await agent.run("go");
  expect(result.toolCalls[0]?.output).toMatchObject({
    process: 65534,
    environment: {},
    bound: "answered",
    other: expect.stringContaining("may not be sent to") as string,
    ungranted: expect.stringMatching(/may not be sent|not among those/u) as string,
    denied: expect.stringContaining("secretsAllowed") as string,
  });
  expect(bound.heard).toEqual(["Bearer sk-value-of-the-key"]);
  expect(other.heard).toEqual([]);
  expect(JSON.stringify(result.toolCalls)).not.toContain("sk-value");
});
