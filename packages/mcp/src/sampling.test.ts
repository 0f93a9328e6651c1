import { createMcpHandler } from "@modelcontextprotocol/server";
import { memoryStore } from "@bailiwick/agent";
import { expect, test } from "vitest";
import { agentWith } from "./agents.test.helper.ts";
import { loopback } from "./http-server.test.helper.ts";
import type { Loopback } from "./http-server.test.helper.ts";
import { mcp } from "./index.ts";
import type { McpHttpOptions, SamplingRequest } from "./index.ts";
import { summaryServer } from "./sampling.fixture.ts";
import { sessionServer } from "./session-server.test.helper.ts";

const tools = { "*": { sideEffectClass: "read-only" } } as const;
const summarize = { toolCalls: [{ name: "summarize", arguments: {} }] };
const protocols = ["auto", "legacy"] as const;

/** The server in both protocols. */
async function serverOf(protocol: "auto" | "legacy", answers: unknown[], times = 1): Promise<Loopback> {
  if (protocol === "legacy") return sessionServer(undefined, () => summaryServer(answers, times));
  const handler = createMcpHandler(() => summaryServer(answers));
  return loopback((request) => handler.fetch(request));
}

test("a server's sampling request is answered by the agent's model, without tools or conversation [mcp.sampling]", async () => {
  for (const protocol of protocols) {
    const answers: unknown[] = [];
    await using server = await serverOf(protocol, answers);
    await using client = mcp({ name: "summary", url: server.url, protocol, tools, sampling: { maxTokens: 50 } });
    const { agent, model } = agentWith([client], [summarize, "Rain.", "Done."], { flow: "off" });
    const output = await agent.run("A secret of the user. Summarize the weather.");
    expect(output.toolCalls).toMatchObject([{ isError: false, output: "Rain." }]);
    expect(answers).toMatchObject([{ role: "assistant", content: { text: "Rain." }, stopReason: "endTurn" }]);
    const inside = model.requests[1];
    expect(inside?.maxTokens).toBe(50);
    expect(inside?.tools ?? []).toEqual([]);
    const said = JSON.stringify(inside?.messages);
    expect(said).toContain("Summarize: it rained.");
    expect(said).toContain("Be brief.");
    expect(said).not.toContain("secret");
  }
});

test("the run's budget and guardrails apply to the answer [mcp.sampling]", async () => {
  for (const protocol of protocols) {
    const answers: unknown[] = [];
    await using server = await serverOf(protocol, answers);
    await using client = mcp({ name: "summary", url: server.url, protocol, tools, sampling: true });
    const usage = { inputTokens: 400, outputTokens: 200 };
    const { agent } = agentWith([client], [{ ...summarize, usage }, { text: "Rain.", usage }, "Done."], {
      flow: "off",
      budget: { tokens: 1_000 },
    });
    const output = await agent.run("Summarize.").catch((error: unknown) => error as { stopReason?: string });
    expect(output).toMatchObject({ stopReason: "budget_exhausted" });
  }
});

test("the usage of an answer counts for the calling run: in its output, by agent and in its journal [mcp.sampling]", async () => {
  const usage = (tokens: number) => ({ inputTokens: tokens, outputTokens: tokens });
  for (const protocol of protocols) {
    await using server = await serverOf(protocol, []);
    await using client = mcp({ name: "summary", url: server.url, protocol, tools, sampling: true });
    const script = [
      { ...summarize, usage: usage(1) },
      { text: "Rain.", usage: usage(10) },
      { text: "Done.", usage: usage(100) },
    ];
    const { agent } = agentWith([client], script, { flow: "off" });
    const output = await agent.run("Summarize.");
    expect(output.toolCalls).toMatchObject([{ isError: false, output: "Rain." }]);
    expect(output.usage).toMatchObject(usage(111));
    expect(output.usageByAgent).toMatchObject([
      { agentName: "agent", usage: usage(101) },
      { agentName: "sampling for summary", usage: usage(10) },
    ]);
    const { events } = await agent.inspect(output.runId);
    expect(events.find(({ type }) => type === "tool.outcome")).toMatchObject({ childRun: { usage: usage(10) } });
    expect((await agent.replay(output.runId))?.usage).toMatchObject(usage(111));

    // A call that fails after an answer has still used that answer.
    if (protocol !== "legacy") continue;
    await using three = await serverOf(protocol, [], 3);
    await using again = mcp({ name: "summary", url: three.url, protocol, tools, sampling: { maxRequests: 1 } });
    const second = await agentWith([again], script, { flow: "off" }).agent.run("Summarize.");
    expect(second.toolCalls).toMatchObject([{ isError: true }]);
    expect(second.usage).toMatchObject(usage(111));
  }
});

test("without the option the server gets a refusal, and the model is not called [mcp.sampling]", async () => {
  for (const protocol of protocols) {
    const answers: unknown[] = [];
    await using server = await serverOf(protocol, answers);
    await using client = mcp({ name: "summary", url: server.url, protocol, tools });
    const { agent, model } = agentWith([client], [summarize, "Done."], { flow: "off" });
    expect((await agent.run("Summarize.")).toolCalls).toMatchObject([{ isError: true }]);
    expect(model.requests).toHaveLength(2);
    expect(answers).toEqual([]);
  }
});

test("a function or a person decides each request [mcp.sampling]", async () => {
  for (const protocol of protocols) {
    const answers: unknown[] = [];
    await using server = await serverOf(protocol, answers);
    const make = (sampling: McpHttpOptions["sampling"]) =>
      mcp({ name: "summary", url: server.url, protocol, tools, sampling });
    const asked: SamplingRequest[] = [];
    await using refusing = make({ approve: (request) => asked.push(request) < 0 });
    const refused = await agentWith([refusing], [summarize, "Done."], { flow: "off" }).agent.run("Summarize.");
    expect(refused.toolCalls).toMatchObject([{ isError: true }]);
    expect(asked).toMatchObject([
      { server: "summary", systemPrompt: "Be brief.", maxTokens: 1_024, messages: [{ role: "user" }] },
    ]);
    expect(answers).toEqual([]);
    await using asking = make({ approve: "ask" });
    const { agent } = agentWith([asking], [summarize, "Rain.", "Done."], { flow: "off", store: memoryStore() });
    const waiting = await agent.run("Summarize.");
    expect(waiting.interruptions[0]?.question.title).toContain("Summarize: it rained.");
    const done = await agent.resume(waiting.runId, [waiting.interruptions[0]?.answer(true) as never]);
    expect(done.toolCalls).toMatchObject([{ isError: false, output: "Rain." }]);
  }
});

test("a call has a bounded number of answers [mcp.sampling]", async () => {
  const answers: unknown[] = [];
  await using server = await serverOf("legacy", answers, 3);
  await using client = mcp({
    name: "summary",
    url: server.url,
    protocol: "legacy",
    tools,
    sampling: { maxRequests: 2 },
  });
  const { agent } = agentWith([client], [summarize, "One.", "Two.", "Done."], { flow: "off" });
  expect((await agent.run("Summarize.")).toolCalls).toMatchObject([{ isError: true }]);
  expect(answers).toHaveLength(2);
});

test("a server gets the operator's roots, and an empty list without them [mcp.roots]", async () => {
  const folders = { toolCalls: [{ name: "folders", arguments: {} }] };
  for (const protocol of protocols) {
    await using server = await serverOf(protocol, []);
    const roots = [{ uri: "file:///home/ana/notes", name: "notes" }];
    await using client = mcp({ name: "summary", url: server.url, protocol, tools, roots });
    const output = await agentWith([client], [folders, "Done."]).agent.run("Look.");
    expect(JSON.parse(String(output.toolCalls[0]?.output))).toEqual({ roots });
    await using none = mcp({ name: "summary", url: server.url, protocol, tools });
    const without = await agentWith([none], [folders, "Done."]).agent.run("Look.");
    expect(without.toolCalls).toMatchObject([{ isError: true }]);
  }
});

test("options that cannot be honoured are refused [mcp.sampling] [mcp.roots]", () => {
  const make = (given: object) => () => mcp({ name: "summary", url: "https://x.test/mcp", ...given });
  for (const sampling of ["yes", { maxTokens: 0 }, { approve: "always" }, { model: "x" }])
    expect(make({ sampling })).toThrow("sampling");
  expect(make({ roots: [{ uri: "https://x.test" }] })).toThrow("file:///");
});
