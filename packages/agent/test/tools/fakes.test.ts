import { classifyTools, handoff, memoryStore, tool, type FakedCall, type Fakes, type Tool } from "@bailiwick/core";
import { codeMode } from "@bailiwick/compose/code-mode";
import { pipeline } from "../../src/compose.ts";
import { inMemoryMemories, memory } from "@bailiwick/memory";
import { scriptedModel, type ScriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { counter, failureOf, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off" } as const;
const writesOnce = (): ScriptedModel =>
  scriptedModel(({ toolResults }) => (toolResults.length === 0 ? writeCall() : "Done."));
const calls = (name: string, args: object): ScriptedModel =>
  scriptedModel(({ toolResults }) =>
    toolResults.length === 0 ? { toolCalls: [{ name, arguments: { ...args } }] } : "Done.",
  );

/** Fakes of the writer, which remember its calls. */
function faked(more: Partial<Fakes> = {}): { readonly fakes: Fakes; readonly seen: FakedCall[] } {
  const seen: FakedCall[] = [];
  const answer: Fakes["answer"] = (call) => {
    seen.push(call);
    return call.toolName === "write" ? { output: `faked ${JSON.stringify(call.args)}` } : undefined;
  };
  return { fakes: { answer, ...more }, seen };
}

/** Each way in which a run reaches a writer. */
const ways: Readonly<Record<string, (write: Tool) => { run: Agent["run"] }>> = {
  "the agent itself": (write) => new Agent({ ...base, model: writesOnce(), tools: [write] }),
  "an agent as a tool": (write) => {
    const inner = new Agent({ ...base, name: "inner", model: writesOnce(), tools: [write] });
    return new Agent({ ...base, model: calls("inner", { input: "go" }), tools: [inner.asTool()] });
  },
  "a handoff": (write) => {
    const inner = new Agent({ ...base, name: "inner", model: scriptedModel([writeCall(), "Done."]), tools: [write] });
    return new Agent({ ...base, model: calls("transfer_to_inner", {}), handoffs: [handoff(inner)] });
  },
  "a composition": (write) =>
    pipeline({}, new Agent({ ...base, name: "inner", model: writesOnce(), tools: [write] })) as never,
  "a program": (write) =>
    new Agent({
      ...base,
      model: calls("run_code", { code: 'return await tools.write({ line: "a" });' }),
      tools: [codeMode({ tools: [write], maxMemoryMB: 32 })],
    }),
  "a server that calls its writer read-only, and is trusted": (write) => {
    const { tools } = classifyTools([{ tool: write, annotations: { readOnlyHint: true } }], {
      source: { kind: "mcp", serverIdentity: "tracker" },
      trustAnnotations: true,
    });
    return new Agent({ ...base, model: writesOnce(), tools });
  },
  "a tool that passes its own fakes to an agent": (write) => {
    const inner = new Agent({ ...base, name: "inner", model: writesOnce(), tools: [write] });
    const start = tool({
      name: "start",
      description: "Starts an agent.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      execute: async (_input, ctx) =>
        (await inner.run("go", { ...ctx.runOptions, fakes: { answer: () => ({ output: "not this" }) } })).text,
    });
    return new Agent({ ...base, model: calls("start", {}), tools: [start] });
  },
};

test.each(Object.entries(ways))("a run with fakes makes no real effect through %s [run.fakes]", async (_way, made) => {
  const { write, ran } = counter();
  const { fakes, seen } = faked();
  const output = await made(write).run("go", { fakes });
  expect(output).toMatchObject({ status: "completed", faked: true });
  expect(ran).toEqual([]);
  expect(seen.filter(({ toolName }) => toolName === "write")).toMatchObject([
    { args: { line: "a" }, idempotencyKey: expect.any(String), attempt: 1 },
  ]);
  // Without an answer, no writer runs, also one that only its server calls a reader.
  await made(write).run("go", { fakes: { answer: () => undefined } });
  expect(ran).toEqual([]);
});

test("a faked call is asked about, journaled and keyed as a real one, and may fail [run.fakes]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const store = memoryStore();
  const agent = new Agent({ ...base, model: writesOnce(), tools: [write], store });
  const { fakes, seen } = faked({ answer: () => ({ error: new Error("The service is away.") }) });
  const asked = await agent.run("go", { fakes });
  expect(asked).toMatchObject({ status: "suspended", faked: true });
  const decisions = asked.interruptions.map((one) => one.approve());
  expect(await failureOf(agent.resume(asked.runId, decisions))).toMatchObject({ code: "RUN_OPTIONS_MISSING" });
  const done = await agent.resume(asked.runId, decisions, { fakes });
  expect(done.toolCalls).toMatchObject([
    { isError: true, error: { message: expect.stringContaining("service is away") } },
  ]);
  const { events } = await agent.inspect(done.runId);
  expect(events.map(({ type }) => type)).toContain("tool.intent");
  expect(events.find(({ type }) => type === "run.start")).toMatchObject({ faked: "no_store" });
  expect([ran, seen]).toEqual([[], []]);
});

test("a call without a fake is refused, unless its tool declares in your code that it reads [run.fakes]", async () => {
  const { write, ran } = counter();
  const reads: string[] = [];
  const read = tool({
    name: "read",
    description: "Reads.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => reads.push("read"),
  });
  const undeclared = tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({}),
    execute: () => reads.push("look"),
  });
  const model = scriptedModel(({ toolResults }) =>
    toolResults.length === 0
      ? {
          toolCalls: ["read", "look", "write"].map((name) => ({
            name,
            arguments: name === "write" ? { line: "a" } : {},
          })),
        }
      : "Done.",
  );
  const agent = new Agent({ ...base, model, tools: [read, undeclared, write] });
  const { toolCalls } = await agent.run("go", { fakes: { answer: () => undefined } });
  expect(toolCalls.map(({ isError }) => isError)).toEqual([false, true, true]);
  expect(toolCalls.slice(1)).toMatchObject([{ error: { code: "FAKE_MISSING" } }, { error: { code: "FAKE_MISSING" } }]);
  expect([reads, ran]).toEqual([["read"], []]);
  expect(await failureOf(agent.run("go", { fakes: {} as never }))).toMatchObject({ code: "INVALID_OPTION" });
});

test("a run with fakes leaves no message, memory, decision or result for real runs; with its own store it keeps messages and memories [run.fakes]", async () => {
  for (const ownStore of [undefined, true] as const) {
    const store = memoryStore();
    const memories = inMemoryMemories();
    const { write, ran } = counter({ needsApproval: true });
    const keyed: Tool = { ...write, idempotencyKey: (input) => JSON.stringify(input) };
    const steps = [
      { toolCalls: [{ name: "remember", arguments: { text: "Ada likes tea." } }] },
      writeCall(),
      "Done.",
    ] as const;
    const agentOf = (model: ScriptedModel): Agent =>
      new Agent({
        ...base,
        model,
        tools: [keyed],
        store,
        session: store.sessions,
        memory: memory({ store: memories }),
      });
    const agent = agentOf(scriptedModel([...steps]));
    const { fakes } = faked({ ownStore });
    const asked = await agent.run("go", { sessionId: "s", userId: "ada", fakes });
    const decisions = asked.interruptions.map((one) => one.approve({ remember: "tool" }));
    const done = await agent.resume(asked.runId, decisions, { fakes });
    expect(done.toolCalls.map(({ isError }) => isError)).toEqual([ownStore === undefined, false]);
    const session = await store.sessions.load("s", { userId: "ada" });
    expect(session.messages.length > 0).toBe(ownStore === true);
    // A real run asks again, and executes the call under the key that the faked one had.
    const real = agentOf(writesOnce());
    const again = await real.run("go", { sessionId: "s", userId: "ada" });
    expect(again).toMatchObject({ status: "suspended" });
    expect(again.faked).toBeUndefined();
    await real.resume(
      again.runId,
      again.interruptions.map((one) => one.approve()),
    );
    expect(ran).toEqual(["a"]);
  }
});
