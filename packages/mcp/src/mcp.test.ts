import { fileURLToPath } from "node:url";
import { createMcpHandler, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { agentWith, resultsOf } from "./agents.test.helper.ts";
import { loopback } from "./http-server.test.helper.ts";
import { mcp } from "./index.ts";
import type { McpCommonOptions, McpServerTools } from "./index.ts";
import { trackerServer } from "./tracker.fixture.ts";
import type { TrackerLog } from "./tracker.fixture.ts";

const program = fileURLToPath(new URL("./stdio-tracker.fixture.ts", import.meta.url));
const stdio = { command: process.execPath, args: [program], sandbox: "none", connectTimeoutMs: 120_000 } as const;
const reads = { "*": { sideEffectClass: "read-only" } } as const;
const call = (name: string, input: Record<string, unknown> = {}) => ({ toolCalls: [{ name, arguments: input }] });

/** A loopback server with its tools, all readers unless specified. */
async function served(
  options: Partial<McpCommonOptions> = {},
): Promise<
  AsyncDisposable & { readonly tracker: McpServerTools; readonly log: TrackerLog; readonly requests: string[] }
> {
  const log: TrackerLog = { calls: [], cancelled: [] };
  const handler = createMcpHandler(() => trackerServer(log));
  const server = await loopback((request) => handler.fetch(request));
  const tracker = mcp({ name: "tracker", url: server.url, tools: reads, ...options });
  return {
    tracker,
    log,
    requests: server.requests,
    async [Symbol.asyncDispose]() {
      await tracker.close();
      await handler.close();
      await server.stop();
    },
  };
}

test("a stdio server's tools are loaded by the first run that needs them [feature:S042]", async () => {
  await using tracker = mcp({ name: "tracker", ...stdio, tools: reads });
  const { agent, model } = agentWith([tracker], [call("list_issues"), "Done."]);
  const output = await agent.run("What is open?");
  expect(output.status).toBe("completed");
  expect(resultsOf(output).join()).toContain("#1 Broken link");
  expect(model.requests[0]?.tools?.map((one) => ("name" in one ? one.name : ""))).toContain("create_issue");
  const never = mcp({ name: "never", command: "/no/such/program", sandbox: "none" });
  agentWith([never], []);
  await never.close();
});

test("a server over HTTP is used without a session in 2026-07-28 [feature:S042] [feature:X101]", async () => {
  await using world = await served();
  const { agent } = agentWith([world.tracker], [call("list_issues"), "Done."]);
  expect(world.requests).toEqual([]);
  expect(resultsOf(await agent.run("What is open?")).join()).toContain("#1 Broken link");
  expect(await world.tracker.connect()).toMatchObject({ protocolVersion: "2026-07-28" });
  expect(world.requests).toContain("POST server/discover");
  expect(world.requests).not.toContain("POST initialize");
});

test("a server of a session protocol is detected and initialized accordingly [feature:S042] [feature:X101]", async () => {
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => crypto.randomUUID() });
  await trackerServer().connect(transport);
  await using server = await loopback((request) => transport.handleRequest(request));
  await using tracker = mcp({ name: "tracker", url: server.url, tools: reads });
  const { agent } = agentWith([tracker], [call("list_issues"), "Done."]);
  expect(resultsOf(await agent.run("What is open?")).join()).toContain("#1 Broken link");
  expect(await tracker.connect()).toMatchObject({ protocolVersion: "2025-11-25" });
  expect(server.requests).toContain("POST initialize");
});

test("a pinned protocol version accepts no other [feature:X101]", async () => {
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => crypto.randomUUID() });
  await trackerServer().connect(transport);
  await using server = await loopback((request) => transport.handleRequest(request));
  await using tracker = mcp({ name: "tracker", url: server.url, protocol: "2026-07-28" });
  await expect(tracker.connect()).rejects.toMatchObject({ code: "MCP_PROTOCOL", server: "tracker" });
});

test("tools of a server are mcp-derived: untrusted, writers unless classified, with sanitized and framed results [tool.source.mcp]", async () => {
  await using world = await served({ tools: { list_issues: { sideEffectClass: "read-only" } } });
  const { agent } = agentWith([world.tracker], [call("list_issues"), "Done.", call("list_issues"), "Done."]);
  let resolved: unknown;
  const run = agent.stream("go");
  for await (const event of run) if (event.type === "run.start") resolved = event.tools;
  expect(Object.keys(resolved as object)).toContain("list_issues");
  const asked = agentWith([world.tracker], [call("list_issues"), call("fails"), "Done."], {
    flow: { mode: "enforce", planner: false },
  });
  const output = await asked.agent.run("go");
  // The first result is untrusted, so the call of an unclassified tool, which counts as a writer, asks.
  expect(output.interruptions.map(({ toolName, question }) => [toolName, question.developer.rules[0]])).toEqual([
    ["fails", "R2"],
  ]);
  expect(resultsOf(await agent.run("go")).join()).toMatch(/untrusted[\s\S]*#1 Broken link/u);
});

test("images, audio and resources are parts; base64 is never text, and content for the user is not sent to the model [field-bug:PB-media-01]", async () => {
  await using world = await served();
  const { agent, model } = agentWith([world.tracker], [call("picture"), "Done."]);
  const output = await agent.run("Draw.");
  const told = model.requests[1]?.messages.find(({ role }) => role === "tool")?.content;
  const parts = Array.isArray(told) ? told : [];
  expect(parts.map(({ type }) => type)).toEqual(expect.arrayContaining(["text", "image", "audio"]));
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  expect(text).toContain("Here it is.");
  expect(text).toContain("file:///a.txt\ninside");
  expect(text).toContain('Resource "issue 1": https://tracker.test/1');
  expect(text).not.toMatch(/iVBORw0KGgo|UklGRg|for the user/u);
  expect(JSON.stringify(output.toolCalls)).toContain("for the user");
});

test("structured content is the output and is checked against the server's schema", async () => {
  await using world = await served();
  const { agent } = agentWith(
    [world.tracker],
    [call("weather", { city: "Bern" }), call("weather", { city: "nowhere" }), "Done."],
  );
  const { toolCalls } = await agent.run("How is it?");
  expect(toolCalls[0]).toMatchObject({ isError: false, output: { degrees: 21 } });
  // The official server also validates it, and reports its refusals as failures.
  expect(toolCalls[1]).toMatchObject({ isError: true });
  expect(world.log.calls).toEqual(["weather Bern", "weather nowhere"]);
});

test("a result with isError is a failed call with its text", async () => {
  await using world = await served();
  const { agent } = agentWith([world.tracker], [call("fails"), "Done."]);
  const { toolCalls } = await agent.run("go");
  expect(toolCalls[0]).toMatchObject({ isError: true, error: { kind: "execution_failed" } });
  expect(JSON.stringify(toolCalls[0])).toContain("The tracker is full.");
});

test("include and exclude choose the tools; an entry for an excluded tool is refused", async () => {
  await using world = await served({ include: ["*_issue*", "weather"], exclude: ["create_*"] });
  const { agent, model } = agentWith([world.tracker], ["Done."]);
  await agent.run("go");
  const names = model.requests[0]?.tools?.map((one) => ("name" in one ? one.name : ""));
  expect(names).toEqual(expect.arrayContaining(["list_issues", "weather"]));
  expect(names).not.toContain("create_issue");
  await using wrong = await served({ exclude: ["create_*"], tools: { create_issue: {} } });
  await expect(agentWith([wrong.tracker], ["Done."]).agent.run("go")).rejects.toMatchObject({
    code: "UNMATCHED_CLASSIFICATION",
  });
});

test("prompts and resources are read as untrusted parts", async () => {
  await using world = await served();
  expect(await world.tracker.listPrompts()).toEqual([{ name: "triage", description: "How to triage.", arguments: [] }]);
  expect(await world.tracker.getPrompt("triage")).toEqual([
    { role: "user", content: [{ type: "text", text: "Sort these.", untrusted: true }] },
  ]);
  await expect(world.tracker.getPrompt("nothing")).rejects.toMatchObject({ code: "MCP_REFUSED" });
  expect(await world.tracker.listResources()).toMatchObject([{ uri: "file:///readme.md", mimeType: "text/markdown" }]);
  expect(await world.tracker.readResource("file:///readme.md")).toEqual([
    { type: "text", text: "file:///readme.md\n# Read me", untrusted: true },
  ]);
});

test("an agent with a server can be created even if its own tools declare nothing, and explains both [flow.guess.servers] [flow.explain]", async () => {
  await using world = await served();
  const { tool } = await import("@bailiwick/agent");
  const own = tool({ name: "get_own", description: "Own.", inputSchema: { type: "object" }, execute: () => 1 });
  const { agent } = agentWith([world.tracker], [], { tools: [own] });
  const explained = await agent.explainTools();
  expect(explained.find(({ name }) => name === "get_own")).toMatchObject({ effect: "reader", by: "guessed" });
  const ofServer = explained.filter(({ by }) => by === "source");
  expect(ofServer.length).toBeGreaterThan(0);
});

test("invalid options are refused at construction", () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ name: "a b", url: "https://x.test" }, /its name is "a b"/u],
    [{ name: "a" }, /needs a command.*or a url; not both/u],
    [{ name: "a", url: "https://x.test", command: "x" }, /needs a command.*or a url; not both/u],
    [{ name: "a", url: "ftp://x.test" }, /begins with ftp:/u],
    [{ name: "a", url: "https://u:p@x.test" }, /user name or a password/u],
    [{ name: "a", url: "https://x.test", sandbox: "none" }, /no option "sandbox".*goes with a command/u],
    [{ name: "a", command: "x", sandbox: { tier: "process" } }, /sandbox is/u],
    [{ name: "a", command: "x", cwd: "here" }, /absolute path/u],
    [{ name: "a", url: "https://x.test", timeout: 1 }, /"timeout" is not an option/u],
    [{ name: "a", command: "x", sandbx: "none" }, /"sandbx" is not an option.*did you mean "sandbox"/u],
    [{ name: "a", url: "https://x.test", maxTotalTimeoutMs: 1 }, /resetTimeoutOnProgress: true/u],
    [{ name: "a", url: "https://x.test", elicitation: "model" }, /use "suspend" or a function/u],
    [{ name: "a", url: "https://x.test", reconnect: { attempts: 2 } }, /reconnect\.attempts/u],
  ];
  for (const [options, message] of wrong) expect(() => mcp(options as never)).toThrow(message);
});

test("a closed client throws an error that says so, and cannot be reopened", async () => {
  await using world = await served();
  await world.tracker.connect();
  await world.tracker.close();
  await expect(world.tracker.connect()).rejects.toMatchObject({ code: "MCP_CLOSED" });
});
