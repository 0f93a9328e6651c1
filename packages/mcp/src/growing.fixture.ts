// A stdio server that adds a tool after the first call.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });

serveStdio(() => {
  const server = new McpServer({ name: "growing", version: "1" });
  server.registerTool("grow", { description: "Grows." }, () => {
    server.registerTool("grown", { description: "A tool added later." }, () => text("I am new"));
    return text("grew");
  });
  return server;
});
