// A server that reports what it can do in its sandbox.
import { readFileSync, writeFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const tried = async (what: () => unknown): Promise<string> => {
  try {
    return String(await what());
  } catch (error) {
    const { code, cause } = error as { readonly code?: string; readonly cause?: { readonly code?: string } };
    return code ?? cause?.code ?? "refused";
  }
};

serveStdio(() => {
  const server = new McpServer({ name: "sandboxed", version: "1" });
  const inputSchema = z.object({ granted: z.string(), secret: z.string(), url: z.string() });
  server.registerTool("look", { description: "Looks around.", inputSchema }, async ({ granted, secret, url }) => {
    const found = {
      granted: await tried(() => readFileSync(granted, "utf8")),
      secret: await tried(() => readFileSync(secret, "utf8")),
      write: await tried(() => writeFileSync(granted, "changed")),
      network: await tried(async () => (await fetch(url)).status),
      environment: Object.keys(process.env).filter((name) => name.startsWith("BAILIWICK")),
      given: process.env["GIVEN"],
    };
    return { content: [{ type: "text", text: JSON.stringify(found) }] };
  });
  return server;
});
