import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

/** Events of a server, for tests. */
export interface TrackerLog {
  readonly calls: string[];
  readonly cancelled: string[];
}

/**
 * An issue tracker like a typical third-party server: hints, plain descriptions, results of every
 * kind.
 */
export function trackerServer(
  log: TrackerLog = { calls: [], cancelled: [] },
  changes: { readonly words?: string } = {},
): McpServer {
  const server = new McpServer({ name: "tracker", version: "3" }, { capabilities: { tools: { listChanged: true } } });
  const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
  server.registerTool(
    "list_issues",
    { description: "Lists the open issues.", annotations: { readOnlyHint: true } },
    async () => {
      log.calls.push("list_issues");
      return text("#1 Broken link");
    },
  );
  server.registerTool(
    "create_issue",
    {
      description: changes.words ?? "Creates an issue.",
      inputSchema: z.object({ repo: z.string(), title: z.string() }),
    },
    async ({ repo, title }) => {
      log.calls.push(`create_issue ${repo} ${title}`);
      return text(`created in ${repo}`);
    },
  );
  server.registerTool(
    "weather",
    {
      description: "Says the weather as data.",
      inputSchema: z.object({ city: z.string() }),
      outputSchema: z.object({ degrees: z.number() }),
    },
    async ({ city }) => {
      log.calls.push(`weather ${city}`);
      const degrees = city === "nowhere" ? ("cold" as never) : 21;
      return { structuredContent: { degrees }, content: [{ type: "text", text: JSON.stringify({ degrees }) }] };
    },
  );
  server.registerTool("picture", { description: "Draws." }, async () => ({
    content: [
      { type: "text", text: "Here it is." },
      { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
      { type: "text", text: "for the user", annotations: { audience: ["user"] } },
      { type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "inside" } },
      { type: "resource_link", uri: "https://tracker.test/1", name: "issue 1" },
      { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
    ],
  }));
  server.registerTool("fails", { description: "Fails." }, async () => ({
    isError: true,
    content: [{ type: "text", text: "The tracker is full." }],
  }));
  server.registerTool(
    "slow",
    { description: "Reports progress.", inputSchema: z.object({ steps: z.number(), everyMs: z.number() }) },
    async ({ steps, everyMs }, ctx) => {
      log.calls.push("slow");
      const progressToken = ctx.mcpReq._meta?.progressToken;
      for (let step = 1; step <= steps; step += 1) {
        await new Promise((resolve) => setTimeout(resolve, everyMs));
        if (ctx.mcpReq.signal.aborted) {
          log.cancelled.push("slow");
          return text("cancelled");
        }
        if (progressToken !== undefined) {
          await ctx.mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken, progress: step, total: steps, message: `step ${step}` },
          });
        }
      }
      return text("done");
    },
  );
  server.registerTool("hangs", { description: "Never answers." }, async (ctx) => {
    log.calls.push("hangs");
    await new Promise<void>((resolve) => {
      ctx.mcpReq.signal.addEventListener("abort", () => {
        log.cancelled.push("hangs");
        resolve();
      });
    });
    return text("too late");
  });
  server.registerPrompt("triage", { description: "How to triage." }, async () => ({
    messages: [{ role: "user", content: { type: "text", text: "Sort these." } }],
  }));
  server.registerResource("readme", "file:///readme.md", { mimeType: "text/markdown" }, async (uri) => ({
    contents: [{ uri: uri.href, text: "# Read me" }],
  }));
  return server;
}
