import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { agentWith, resultsOf } from "./agents.test.helper.ts";
import { loopback } from "./http-server.test.helper.ts";
import { mcp } from "./index.ts";
import type { McpCommonOptions } from "./index.ts";

/** A server with a resource, a prompt and, where asked, a tool with the name of ours. */
async function library(options: Partial<McpCommonOptions>, more: (server: McpServer) => void = () => undefined) {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "library", version: "1" });
    server.registerResource("rules", "docs://rules", { description: "House rules." }, () => ({
      contents: [{ uri: "docs://rules", text: "No smoking." }],
    }));
    server.registerPrompt(
      "greet",
      { description: "Greets.", argsSchema: z.object({ who: z.string() }) },
      ({ who }) => ({
        messages: [{ role: "user", content: { type: "text", text: `Greet ${who}.` } }],
      }),
    );
    server.registerTool("open", { description: "Opens." }, () => ({ content: [] }));
    more(server);
    return server;
  });
  const server = await loopback((request) => handler.fetch(request));
  const books = mcp({ name: "library", url: server.url, tools: { "*": { sideEffectClass: "read-only" } }, ...options });
  return {
    books,
    async [Symbol.asyncDispose]() {
      await books.close();
      await handler.close();
      await server.stop();
    },
  };
}

const call = (name: string, input: Record<string, unknown> = {}) => ({ name, arguments: input });

test("agents list and read resources, and get prompts, if the operator enables it [mcp.offers]", async () => {
  await using world = await library({ resources: true, prompts: true });
  const { agent } = agentWith(
    [world.books],
    [
      {
        toolCalls: [
          call("list_resources"),
          call("read_resource", { uri: "docs://rules" }),
          call("list_prompts"),
          call("get_prompt", { name: "greet", arguments: { who: "Ada" } }),
        ],
      },
      "Done.",
    ],
  );
  const results = resultsOf(await agent.run("Read docs://rules, and greet Ada."));
  const read = results.find((text) => text.includes("No smoking."));
  expect(read).toContain("untrusted-content");
  expect(results.join()).toContain("docs://rules");
  expect(results.join()).toContain('"who"');
  expect(results.join()).toContain("Greet Ada.");
});

test("without the options agents have only tools, and a server's tool keeps its name [mcp.offers]", async () => {
  await using plain = await library({});
  const without = agentWith([plain.books], ["Done."]);
  await without.agent.run("Hi.");
  expect(without.model.requests[0]?.tools?.map((one) => ("name" in one ? one.name : ""))).not.toContain(
    "read_resource",
  );
  await using world = await library({ resources: true }, (server) => {
    server.registerTool("read_resource", { description: "Its own." }, () => ({
      content: [{ type: "text", text: "its own" }],
    }));
  });
  const { agent } = agentWith([world.books], [{ toolCalls: [call("read_resource")] }, "Done."]);
  const output = await agent.run("Read.");
  expect(resultsOf(output).join()).toContain("its own");
  expect(output.warnings.map(({ code }) => code)).toContain("server_tool_left_out");
  expect(() => mcp({ name: "x", url: "http://localhost", resources: "yes" as never })).toThrow(/resources/u);
});
