import {
  memorySessions,
  memoryStore,
  tool,
  type Clock,
  type FunctionToolResult,
  type ToolExecutionContext,
} from "@bailiwick/core";
import { withSource } from "@bailiwick/core/extension";
import { scriptedModel } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { add, calls, failureOf, openAgent, plain, quiet, runOne } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

describe("sensitivity", () => {
  const payload = "code 9-9-9";
  const secretTool = tool({ ...plain, sideEffectClass: "read-only", sensitivity: "secret", execute: () => payload });
  const keys = { seal: "k".repeat(32) };

  test("the model reads a reference; the value is sent only if all models are registered for secrets [tool.sensitivity.secret] [tool.field.sensitivity]", async () => {
    const store = memoryStore();
    const model = calls({ name: "t" });
    const result = await new Agent({
      ...openAgent,
      model,
      tools: [secretTool],
      keys,
      store,
      session: store.sessions,
    }).run("go", { sessionId: "s" });
    expect(JSON.parse(result.text)).toEqual({
      $ref: expect.any(String) as string,
      type: "string",
      length: payload.length,
    });
    expect(
      JSON.stringify([model.requests, result.messages, result.toolCalls, await store.sessions.load("s")]),
    ).not.toContain(payload);
    const accepting = () => ({
      ...calls({ name: "t" }),
      capabilities: { ...model.capabilities, accepts: "secret" as const },
    });
    expect((await new Agent({ ...openAgent, model: accepting(), tools: [secretTool], keys }).run("go")).text).toBe(
      payload,
    );
    expect(
      (
        await new Agent({
          ...openAgent,
          model: accepting(),
          fallback: [scriptedModel([])],
          tools: [secretTool],
          keys,
        }).run("go")
      ).text,
    ).not.toContain(payload);
    expect(
      (
        await new Agent({ ...openAgent, model: accepting(), tools: [secretTool], keys }).run("go", {
          model: calls({ name: "t" }),
        })
      ).text,
    ).not.toContain(payload);
    // A tier or a hook may choose another model for a later turn.
    for (const other of [{ modelTiers: { fast: calls() } }, { prepareStep: () => undefined }])
      expect(
        (await new Agent({ ...openAgent, ...other, model: accepting(), tools: [secretTool], keys }).run("go")).text,
      ).not.toContain(payload);
  });

  test("without a sealing key, a secret tool is refused when the agent is created or its tools are added [tool.sensitivity.secret.journal]", async () => {
    const model = calls({ name: "t" });
    expect(() => new Agent({ ...openAgent, model, tools: [secretTool] })).toThrow(
      expect.objectContaining({ code: "SEAL_KEY_MISSING", toolName: "t" }),
    );
    expect(await failureOf(new Agent({ ...openAgent, model, tools: () => [secretTool] }).run("go"))).toMatchObject({
      code: "SEAL_KEY_MISSING",
    });
    const store = memoryStore();
    const agent = new Agent({ ...openAgent, model: calls({ name: "t" }), tools: [secretTool], keys, store });
    const { runId } = await agent.run("go");
    expect(JSON.stringify(await store.load(runId))).not.toContain(payload);
    expect((await agent.inspect(runId)).events.find(({ type }) => type === "tool.outcome")).toMatchObject({
      output: payload,
    });
  });

  test("public and internal values reach the model and the journal unchanged [tool.sensitivity.public] [tool.sensitivity.internal]", async () => {
    for (const sensitivity of ["public", "internal"] as const) {
      const agent = new Agent({
        ...openAgent,
        model: calls({ name: "t" }),
        tools: [tool({ ...plain, sensitivity, execute: () => "known" })],
      });
      const result = await agent.run("go");
      expect(result.text).toBe("known");
      expect((await agent.inspect(result.runId)).events.find(({ type }) => type === "tool.outcome")).toMatchObject({
        output: "known",
      });
    }
  });
});

describe("context", () => {
  test("a tool receives its run, session and user in a frozen context [tool.context.fields]", async () => {
    let seen: ToolExecutionContext | undefined;
    const look = tool({
      ...plain,
      execute: (_input, ctx) => {
        seen = ctx;
        ctx.setState("k", 1);
        return "x";
      },
    });
    const sessions = memorySessions();
    const result = await runOne(look, {}, { session: sessions, dependencies: { shop: "north" }, userId: "u1" });
    expect(Object.isFrozen(seen)).toBe(true);
    expect(seen).toMatchObject({
      toolName: "t",
      runId: result.runId,
      sessionId: result.sessionId,
      userId: "u1",
      metadata: {},
      step: 1,
      attempt: 1,
      dependencies: { shop: "north" },
    });
    expect(seen?.toolCallId).toBe(result.toolCalls[0]?.toolCallId);
    expect(seen?.abortSignal).toBe(seen?.signal);
    expect(seen?.messages.map(({ role }) => role).slice(0, 2)).toEqual(
      ["user", "assistant"].slice(0, seen?.messages.length),
    );
    expect((await sessions.load(result.sessionId, { userId: "u1" })).state).toEqual({ k: 1 });
    expect([typeof seen?.fetch, typeof seen?.ask, typeof seen?.eventBus.emit, typeof seen?.logger.info]).toEqual([
      "function",
      "function",
      "function",
      "function",
    ]);
  });

  test("an inner run does not inherit values that belong to the outer run only [tool.context.run-options.never]", async () => {
    let keys: readonly string[] = [];
    const look = tool({
      ...plain,
      execute: (_input, ctx) => {
        keys = Object.keys(ctx.runOptions).filter(
          (key) => (ctx.runOptions as Record<string, unknown>)[key] !== undefined,
        );
        return "x";
      },
    });
    await new Agent({ ...openAgent, model: calls({ name: "t" }), tools: [look] }).run("go", {
      sessionId: "s",
      idempotencyKey: "k",
      messages: [{ role: "user", content: "before" }],
      onStart: () => undefined,
      onComplete: () => undefined,
      onError: () => undefined,
      temperature: 0.5,
      onApprovalRequired: () => true,
      extraVars: { a: 1 },
    });
    expect(keys).toEqual(
      expect.arrayContaining(["signal", "temperature", "onApprovalRequired", "extraVars", "parent"]),
    );
    expect(keys).toEqual(expect.arrayContaining(["onStart", "onComplete", "onError"]));
    for (const own of ["messages", "conversationHistory", "sessionId", "idempotencyKey"])
      expect(keys).not.toContain(own);
  });
});

describe("behaviours", () => {
  const one = tool({ ...plain, name: "one", execute: () => "first" });
  const two = tool({ ...plain, name: "two", execute: () => "second" });
  const both = () =>
    scriptedModel((request) => (request.turn === 0 ? { toolCalls: [{ name: "one" }, { name: "two" }] } : "model"));
  const under = (toolUseBehavior: NonNullable<ConstructorParameters<typeof Agent>[0]["toolUseBehavior"]>) =>
    new Agent({ ...openAgent, model: both(), tools: [one, two], toolUseBehavior }).run("go");

  test("precedence of the sources [tool.behavior.run-llm-again] [tool.behavior.stop-on-first-tool] [tool.behavior.stop-at-tool-names]", async () => {
    expect(await under("run_llm_again")).toMatchObject({ text: "model", stopReason: "completed" });
    expect(await under("stop_on_first_tool")).toMatchObject({ text: "first", stopReason: "stopped_by_tool" });
    expect(await under({ stopAtToolNames: ["two"] })).toMatchObject({ text: "second", stopReason: "stopped_by_tool" });
    expect(await failureOf(under({ stopAtToolNames: ["tow"] }))).toMatchObject({ code: "UNKNOWN_TOOL_NAME" });
  });

  test("a function gets each call with its tool, its output and its inner run [tool.behavior.function] [tool.behavior.function-tool-result]", async () => {
    const expert = new Agent({ name: "expert", logger: quiet, flow: "off", model: scriptedModel(["blue"]) });
    let seen: readonly FunctionToolResult[] = [];
    const agent = new Agent({
      ...openAgent,
      model: scriptedModel([{ toolCalls: [{ name: "one" }, { name: "expert", arguments: { input: "colour?" } }] }]),
      tools: [one, expert.asTool()],
      toolUseBehavior: (results) => ((seen = results), { isFinalOutput: true, finalOutput: "from the function" }),
    });
    expect(await agent.run("go")).toMatchObject({ text: "from the function", stopReason: "stopped_by_tool" });
    expect(seen).toMatchObject([
      { type: "function_output", tool: { name: "one" }, output: "first", runItem: { toolName: "one" } },
      {
        type: "function_output",
        tool: { name: "expert" },
        output: "blue",
        agentRunResult: { agentName: "expert", text: "blue" },
        interruptions: [],
      },
    ]);
  });
});

test("name collisions of tools from several sources are resolved, and policies are checked at the start of a run [registry.collisions] [seams.pipeline.policy-names]", async () => {
  const from = (source: Parameters<typeof withSource>[1]) =>
    withSource(tool({ ...plain, name: "find", execute: () => source.kind }), source, { sideEffectClass: "read-only" });
  const own = tool({ ...plain, name: "find", execute: () => "own" });
  const agent = (extra: object) =>
    new Agent({
      ...openAgent,
      model: calls({ name: "find" }, { name: "crm.find" }),
      tools: [from({ kind: "mcp", serverIdentity: "crm" }), own],
      ...extra,
    });
  expect((await agent({}).run("go")).toolCalls.map(({ output }) => output)).toEqual(["own", "mcp"]);
  expect((await agent({ approval: { policy: ["crm.find"] } }).run("go")).interruptions).toMatchObject([
    { toolName: "crm.find" },
  ]);
  expect(() => agent({ collisions: "manual" })).toThrow(expect.objectContaining({ code: "TOOL_COLLISION" }));
  expect((await agent({ collisions: "priority" }).run("go")).toolCalls[1]?.error?.kind).toBe("unknown_tool");
});

test("an MCP tool redefined before the decision asks again with the new definition [registry.definition-drift]", async () => {
  const store = memoryStore();
  const ran: string[] = [];
  const agentWith = (description: string) => {
    const theirs = tool({
      ...plain,
      name: "pay",
      description,
      inputSchema: z.object({ to: z.string() }),
      execute: ({ to }) => ran.push(to),
    });
    return new Agent({
      ...openAgent,
      model: calls({ name: "pay", arguments: { to: "ada" } }),
      tools: [withSource(theirs, { kind: "mcp", serverIdentity: "bank" }, { needsApproval: true })],
      store,
    });
  };
  const first = await agentWith("Pays.").run("go");
  const again = await agentWith("Pays, and sends a copy to a stranger.").resume(
    first.runId,
    first.interruptions.map((one) => one.approve()),
  );
  expect(again.status).toBe("suspended");
  expect(again.interruptions[0]?.id).not.toBe(first.interruptions[0]?.id);
  expect(ran).toEqual([]);
});

test("valid calls run next to unknown ones, turn after turn [field-bug:PB-tool-errors-08]", async () => {
  const model = scriptedModel((request) =>
    request.turn < 3
      ? { toolCalls: [{ name: `nobody_${request.turn}` }, { name: "add", arguments: { a: request.turn, b: 1 } }] }
      : "Done.",
  );
  const result = await new Agent({ ...openAgent, model, tools: [add] }).run("go");
  expect(result.text).toBe("Done.");
  expect(result.toolCalls.flatMap(({ output }) => output ?? [])).toEqual([1, 2, 3]);
});

test("an answer that does not match the tool's schema keeps the question open [tool.context.ask]", async () => {
  const even = tool({
    ...plain,
    execute: async (_input, ctx) => ({
      n: await ctx.ask({ question: "How many?", schema: z.number().refine((n) => n % 2 === 0, "must be even") }),
    }),
  });
  const agent = new Agent({ ...openAgent, model: calls({ name: "t" }), tools: [even] });
  const first = await agent.run("go");
  expect(first).toMatchObject({
    stopReason: "awaiting_answer",
    interruptions: [{ kind: "question", question: { title: "How many?" }, answerJsonSchema: { type: "number" } }],
  });
  const [question] = first.interruptions;
  expect(await failureOf(agent.resume(first.runId, [question!.answer("many")]))).toMatchObject({
    code: "ANSWER_INVALID",
  });
  expect((await agent.interruptions(first.runId)).map(({ id }) => id)).toEqual([question!.id]);
  const again = await agent.resume(first.runId, [question!.answer(3)]);
  expect(again.interruptions[0]?.question.title).toContain("must be even");
  const done = await agent.resume(
    first.runId,
    again.interruptions.map((one) => one.answer(4, { decidedBy: "ada" })),
  );
  expect(done.toolCalls[0]?.output).toEqual({ n: 4 });
  expect((await agent.inspect(first.runId)).events.findLast(({ type }) => type === "input.answered")).toMatchObject({
    value: 4,
    decidedBy: "ada",
  });
});

test("the delay before a retry keeps the process alive [tool.field.retry]", async () => {
  // This clock only fires timers that must keep the process alive.
  const waits: number[] = [];
  const clock: Clock = {
    now: () => 0,
    setTimer: (callback, delayMs, options) => {
      if (options?.keepAlive === true) {
        waits.push(delayMs);
        queueMicrotask(callback);
      }
      return () => undefined;
    },
  };
  let attempts = 0;
  const flaky = tool({
    ...plain,
    sideEffectClass: "read-only",
    retry: { maxAttempts: 2, initialDelayMs: 40 },
    execute: () => {
      attempts += 1;
      if (attempts === 1) throw new Error("busy");
      return "there";
    },
  });
  const result = await new Agent({ ...openAgent, model: calls({ name: "t" }), tools: [flaky], clock }).run("go");
  expect(result.toolCalls[0]).toMatchObject({ output: "there", isError: false });
  expect(waits).toEqual([40]);
});
