import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { tool } from "@bailiwick/agent";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { agentWith } from "./agents.test.helper.ts";
import { loopback } from "./http-server.test.helper.ts";
import type { Loopback } from "./http-server.test.helper.ts";
import { mcp } from "./index.ts";
import type { McpHttpOptions, McpServerTools } from "./index.ts";
import { namesFor } from "./tools/names.ts";

/** A server that answers each of its tools with its own name. */
async function serverOf(name: string, tools: readonly string[]): Promise<Loopback> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name, version: "1" });
    for (const one of tools) {
      server.registerTool(one, { description: `${one} of ${name}.` }, () => ({
        content: [{ type: "text", text: `${name} did ${one}` }],
      }));
    }
    return server;
  });
  return loopback((request) => handler.fetch(request));
}

const reads = { "*": { sideEffectClass: "read-only" } } as const;
const from = (name: string, server: Loopback, options: Partial<McpHttpOptions> = {}): McpServerTools =>
  mcp({ name, url: server.url, tools: reads, ...options });
const own = (name: string) =>
  tool({
    name,
    description: "Own.",
    inputSchema: { type: "object" },
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    execute: () => `own ${name}`,
  });
const namesIn = (tools: readonly object[] | undefined): readonly string[] =>
  (tools ?? []).map((one) => ("name" in one ? String(one.name) : ""));
const callAll = (...names: readonly string[]) => ({ toolCalls: names.map((name) => ({ name, arguments: {} })) });

test("two servers with the same tool name give two callable names [field-bug:PB-mcp-01]", async () => {
  await using one = await serverOf("one", ["create_issue"]);
  await using two = await serverOf("two", ["create_issue"]);
  await using first = from("one", one);
  await using second = from("two", two);
  const { agent, model } = agentWith([first, second], [callAll("create_issue", "two.create_issue"), "Done."]);
  const { toolCalls } = await agent.run("go");
  expect(toolCalls.map(({ output }) => output)).toEqual(["one did create_issue", "two did create_issue"]);
  expect(namesIn(model.requests[0]?.tools)).toEqual(expect.arrayContaining(["create_issue", "two.create_issue"]));
});

test("a later server never takes over a name: not next to the first server, while it is away, or after it removed its tool [mcp.names-stay] [field-bug:PB-mcp-03]", async () => {
  const trusted = ["send_email", "other"];
  await using handlerOf = await serverOf("trusted", trusted);
  await using late = await serverOf("late", ["send_email"]);
  await using first = from("trusted", handlerOf, { optional: true, tools: { other: {} }, protocol: "legacy" });
  await using second = from("late", late);
  const script = [callAll("send_email"), "Done."];
  const beside = agentWith([first, second], [...script, ...script, ...script]);
  const own = await beside.agent.run("send_email");
  expect(own.toolCalls.map(({ output }) => output)).toEqual(["trusted did send_email"]);
  // The trusted server removes its tool: the name is free.
  trusted.shift();
  const gone = await beside.agent.run("send_email");
  expect(gone.toolCalls).toMatchObject([{ isError: true, error: { kind: "unknown_tool" } }]);
  expect(namesIn(beside.model.requests.at(-1)?.tools)).toContain("late.send_email");
  handlerOf.cut();
  // The server was unreachable from the beginning.
  await using away = from("trusted", handlerOf, { optional: true, tools: {}, connectTimeoutMs: 5_000 });
  const without = agentWith([away, second], [...script]);
  const result = await without.agent.run("send_email");
  expect(result.toolCalls).toMatchObject([{ isError: true, error: { kind: "unknown_tool" } }]);
  expect(without.logger.lines.join("\n")).toContain('runs without the MCP server "trusted"');
});

test("names that would collide with their prefix are distinct, also in the vendor's form [field-bug:PB-mcp-04]", async () => {
  await using one = await serverOf("one", ["b_c", "a_b_c"]);
  await using two = await serverOf("two", ["c", "a_b_c"]);
  await using first = from("a", one);
  await using second = from("a_b", two);
  const { agent, model } = agentWith([first, second], [callAll("a_b_c", "a.a_b_c", "a_b.a_b_c", "b_c", "c"), "Done."], {
    tools: [own("a_b_c")],
  });
  const { toolCalls } = await agent.run("go");
  expect(toolCalls.map(({ output }) => output)).toEqual([
    "own a_b_c",
    "one did a_b_c",
    "two did a_b_c",
    "one did b_c",
    "two did c",
  ]);
  const names = namesIn(model.requests[0]?.tools);
  const { wireToolName } = await import("@bailiwick/core/provider");
  const onTheWire = names.map((name) => wireToolName(name, { pattern: /^[a-zA-Z0-9_-]+$/u, maxLength: 64 }));
  expect(new Set(onTheWire).size).toBe(names.length);
  expect(onTheWire.every((name) => /^[a-zA-Z0-9_-]{1,64}$/u.test(name))).toBe(true);
});

test("two servers whose full names would be equal are refused", async () => {
  const options = { url: "https://x.test/mcp" };
  expect(() => agentWith([mcp({ name: "a", ...options }), mcp({ name: "a", ...options })], [])).toThrow(
    expect.objectContaining({ code: "DUPLICATE_TOOL_SERVER" }),
  );
});

test("server names become valid tool names without collisions", () => {
  expect(namesFor(["list/issues", "list_issues", "list issues", "né", ""])).toEqual([
    "list_issues_2",
    "list_issues",
    "list_issues_3",
    "n_",
    "tool",
  ]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: "binary", maxLength: 150 }), { maxLength: 12 }), (given) => {
      const names = namesFor(given);
      expect(new Set(names).size).toBe(given.length);
      for (const name of names) expect(name).toMatch(/^[A-Za-z0-9._-]{1,128}$/u);
    }),
  );
});
