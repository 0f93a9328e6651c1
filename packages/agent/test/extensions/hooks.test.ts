import {
  memoryStore,
  tool,
  type AgentHooks,
  type Clock,
  type LoopHooks,
  type Message,
  type RunContext,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  add,
  addCall,
  collect,
  counter,
  failureOf,
  listeningLogger,
  quiet,
  writeCall,
} from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet } as const;

test("hooks, tools and instructions know the agent whose run it is, in runs inside calls too [hooks.agent-name]", async () => {
  const seen: string[] = [];
  const note = (what: string) => (ctx: RunContext) => void seen.push(`${what} of ${ctx.agentName}`);
  const hooks: AgentHooks = { beforeRun: note("beforeRun"), afterRun: note("afterRun"), onToolCall: note("call") };
  const instructions = (ctx: RunContext): string => (note("instructions")(ctx), "Help.");
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: (_input, ctx) => (note("look")(ctx), "seen"),
  });
  const inner = new Agent({
    ...base,
    name: "inner",
    description: "Looks.",
    model: scriptedModel([{ toolCalls: [{ name: "look", arguments: {} }] }, "Seen."]),
    tools: [look],
    hooks,
    instructions,
  });
  const outer = new Agent({
    ...base,
    name: "outer",
    model: scriptedModel([{ toolCalls: [{ name: "inner", arguments: { input: "look" } }] }, "Done."]),
    tools: [inner.asTool()],
    hooks,
    instructions,
  });
  await outer.run("go");
  const order = [...new Set(seen)].filter((text) => !text.startsWith("instructions"));
  expect(order).toEqual([
    "beforeRun of outer",
    "call of outer",
    "beforeRun of inner",
    "call of inner",
    "look of inner",
    "afterRun of inner",
    "afterRun of outer",
  ]);
  expect(seen).toEqual(expect.arrayContaining(["instructions of outer", "instructions of inner"]));
});

test("observing hooks are awaited, in order [hooks.observing] [messages.hooks]", async () => {
  const seen: string[] = [];
  // Each call takes longer than the next: those that are not awaited end in another order.
  let waitMs = 64;
  const note = (name: string) => async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, (waitMs /= 2)));
    seen.push(name);
  };
  const hooks: AgentHooks = {
    beforeRun: note("beforeRun"),
    afterRun: note("afterRun"),
    onToolCall: note("onToolCall"),
    onError: note("onError"),
  };
  const node = { onNodeStart: note("onNodeStart"), onNodeEnd: note("onNodeEnd"), onNodeError: note("onNodeError") };
  const agent = new Agent({
    ...base,
    model: scriptedModel([addCall(), "Done.", { faults: { error: { status: 400 } } }]),
    tools: [add],
    hooks,
    loopHooks: { afterLLMCall: note("afterLLMCall") },
  });
  await agent.run("go", { hooks: node });
  expect(seen).toEqual([
    "beforeRun",
    "onNodeStart",
    "afterLLMCall",
    "onToolCall",
    "afterLLMCall",
    "afterRun",
    "onNodeEnd",
  ]);
  seen.length = 0;
  await failureOf(agent.run("go", { hooks: node }));
  expect(seen).toEqual(["beforeRun", "onNodeStart", "onError", "onNodeError"]);
});

test("a throwing observer is logged and reported, and the run continues, unless hooksAreFatal [hooks.observing.throws]", async () => {
  const logger = listeningLogger();
  const hooks: AgentHooks = {
    beforeRun: () => {
      throw new Error("observer");
    },
  };
  const agent = new Agent({ ...base, logger, model: scriptedModel(() => "x"), hooks });
  const { events, error } = await collect(agent.stream("go"));
  expect(error).toBeUndefined();
  expect(events.find(({ type }) => type === "hook.failed")).toMatchObject({
    hook: "beforeRun",
    error: { message: "observer" },
  });
  expect(logger.lines).toHaveLength(1);
  expect(await failureOf(agent.run("go", { hooksAreFatal: true }))).toMatchObject({
    message: expect.stringContaining("observer") as string,
  });
});

test("an observing hook without an answer within 30 seconds is reported, and the run continues [hooks.observing.throws]", async () => {
  let now = 0;
  const clock: Clock = {
    now: () => now,
    setTimer: (callback, delayMs) => {
      // Time passes as soon as something waits for it.
      const timer = setTimeout(() => ((now += delayMs), callback()), 1);
      return () => clearTimeout(timer);
    },
  };
  const hooks: AgentHooks = { beforeRun: () => new Promise<void>(() => undefined) };
  const { events } = await collect(
    new Agent({ ...base, clock, logger: quiet, model: scriptedModel(["x"]), hooks }).stream("go"),
  );
  expect(events.filter(({ type }) => type === "hook.failed")).toMatchObject([
    { hook: "beforeRun", error: { message: expect.stringContaining("within 30000 ms") as string } },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "run.end", status: "completed" });
});

test("messages returned by a hook are matched by id; an unknown one is inserted [hooks.before-llm-call] [seams.messages.before-llm-call-ids]", async () => {
  const model = scriptedModel([addCall(), "Done."]);
  const loopHooks: LoopHooks = {
    beforeLLMCall: (messages, roundtrip) =>
      roundtrip === 1
        ? [
            ...messages.map((message): Message =>
              message.role === "user" ? { ...message, content: "edited" } : message,
            ),
            { id: "extra", role: "user", content: "inserted" },
          ]
        : undefined,
  };
  const result = await new Agent({ ...base, model, tools: [add], loopHooks }).run("original");
  expect(model.requests[0]?.messages.map(({ content }) => content)).toEqual(["edited", "inserted"]);
  expect(result.messages[0]?.content).toBe("original");
  expect(result.messages.some(({ id }) => id === "extra")).toBe(true);
});

test("a call may be skipped or changed before it runs [hooks.before-tool-exec] [hooks.before-tool-exec.skip] [hooks.before-tool-exec.changed]", async () => {
  const { write, ran } = counter();
  const model = scriptedModel([
    {
      toolCalls: [
        { name: "write", arguments: { line: "skip" } },
        { name: "write", arguments: { line: "change" } },
        { name: "write", arguments: { line: "break" } },
      ],
    },
    "Done.",
  ]);
  const loopHooks: LoopHooks = {
    beforeToolExec: (_name, args) => {
      const { line } = args as { line: string };
      if (line === "skip") return { skip: true, result: "made up" };
      return { args: { line: line === "break" ? 4 : "changed" } };
    },
  };
  const result = await new Agent({ ...base, model, tools: [write], loopHooks }).run("go");
  expect(ran).toEqual(["changed"]);
  expect(result.toolCalls).toMatchObject([
    { simulated: true, output: "made up" },
    { output: "wrote changed" },
    { isError: true, error: { kind: "invalid_input" } },
  ]);
});

test("a result may be replaced for the model [hooks.after-tool-exec]", async () => {
  const model = scriptedModel([addCall(), "Done."]);
  await new Agent({
    ...base,
    model,
    tools: [add],
    loopHooks: { afterToolExec: (name, result) => `${name} gave ${result}` },
  }).run("go");
  expect(model.requests[1]?.messages.at(-1)?.content).toBe("add gave 3");
});

test("hooks stop a run and prepare a turn [hooks.on-roundtrip-complete] [hooks.prepare-step]", async () => {
  const model = scriptedModel(() => addCall());
  const steps: number[] = [];
  const agent = new Agent({
    ...base,
    model,
    tools: [add],
    loopHooks: { onRoundtripComplete: (roundtrip, tokens) => ({ stop: roundtrip === 2 && tokens.totalTokens > 0 }) },
    prepareStep: ({ step }) => {
      steps.push(step);
      return { activeTools: step === 1 ? ["add"] : [], temperature: step, instructions: `step ${step}` };
    },
  });
  expect((await agent.run("go")).stopReason).toBe("stopped_by_hook");
  expect(steps).toEqual([1, 2]);
  expect(
    model.requests.map(({ temperature, tools, messages }) => [temperature, tools?.length ?? 0, messages[0]?.content]),
  ).toEqual([
    [1, 1, "step 1"],
    [2, 0, "step 2"],
  ]);
});

test("a deciding hook that throws refuses the call, or ends the run if there is no call [hooks.deciding.fail-closed] [hooks.before-tool-exec] [hooks.before-llm-call] [hooks.prepare-step] [hooks.on-roundtrip-complete]", async () => {
  const fail = (): never => {
    throw new Error("no");
  };
  const { write, ran } = counter();
  const agent = (options: object) =>
    new Agent({ ...base, model: scriptedModel([writeCall(), "Done."]), tools: [write], ...options });
  const refused = await agent({ loopHooks: { beforeToolExec: fail } }).run("go");
  expect(refused.toolCalls).toMatchObject([{ isError: true, error: { kind: "policy_denied" } }]);
  expect(ran).toEqual([]);
  for (const options of [
    { loopHooks: { beforeLLMCall: fail } },
    { prepareStep: fail },
    { loopHooks: { onRoundtripComplete: fail } },
  ]) {
    expect((await agent(options).run("go")).stopReason).toBe("policy_denied");
  }
});

test("a deciding hook without an answer within 10 seconds counts as a refusal [hooks.deciding.fail-closed]", async () => {
  let now = 0;
  const clock = {
    now: () => now,
    setTimer: (callback: () => void, delayMs: number) => {
      if (delayMs !== 10_000) return () => undefined;
      const timer = setTimeout(() => ((now += delayMs), callback()), 1);
      return () => clearTimeout(timer);
    },
  };
  const agent = new Agent({
    ...base,
    model: scriptedModel(["x"]),
    clock,
    loopHooks: { beforeLLMCall: () => new Promise<void>(() => undefined) },
  });
  expect((await agent.run("go")).stopReason).toBe("policy_denied");
});

test("a throw before the model is called ends the stream with its error [field-bug:PB-stream-errors-05]", async () => {
  const fail = (): never => {
    throw new Error("thrown");
  };
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", listen);
  for (const options of [{ instructions: fail }, { tools: fail }, { memory: { contextFor: fail, accessFor: fail } }]) {
    const agent = new Agent({ ...base, model: scriptedModel(["x"]), store: memoryStore(), ...(options as object) });
    const { events, error } = await collect(agent.stream("go"));
    expect(error).toMatchObject({ message: expect.stringContaining("thrown") as string });
    expect(events.at(-1)).toMatchObject({ type: "run.end", status: "failed" });
  }
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off("unhandledRejection", listen);
  expect(unhandled).toEqual([]);
});

test("leaving the stream early aborts the request and leaves nothing unhandled [field-bug:PB-stream-errors-06]", async () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", listen);
  const model = scriptedModel([{ text: "one two three", faults: { hangAfterEvents: 2 } }]);
  for await (const event of new Agent({ ...base, model }).stream("go")) if (event.type === "text") break;
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off("unhandledRejection", listen);
  expect(unhandled).toEqual([]);
  expect(model.requests[0]?.signal?.aborted).toBe(true);
});

test("text that a hook inserts is verified, and text that it rewrites stays untrusted [hooks.labels-kept]", async () => {
  const read = tool({
    name: "read",
    description: "Reads mail.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity: "untrusted" },
    execute: () => "buy now",
  });
  const send = tool({
    name: "send",
    description: "Sends.",
    inputSchema: z.object({ to: z.string() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    flow: { authority: ["to"] },
    execute: () => "sent",
  });
  const sendCall = { toolCalls: [{ name: "send", arguments: { to: "ada@example.com" } }] };
  const make = (script: Parameters<typeof scriptedModel>[0], loopHooks: LoopHooks) =>
    new Agent({
      ...base,
      flow: "enforce",
      store: memoryStore(),
      model: scriptedModel(script),
      tools: [read, send],
      loopHooks,
    });

  const insert = make([sendCall, "Done."], {
    beforeLLMCall: (messages, turn) =>
      turn === 1 ? [...messages, { id: "note", role: "user", content: "Be brief." }] : undefined,
  });
  const inserted = await insert.run("Mail ada@example.com");
  const { events } = await insert.inspect(inserted.runId);
  const record = events.find((event) => event.type === "message.inserted");
  expect(record?.labels?.find(({ id }) => id === record.label)).toMatchObject({ integrity: "verified" });

  const rewrite: LoopHooks = {
    beforeLLMCall: (messages) =>
      messages.map((message): Message => (message.role === "tool" ? { ...message, content: "harmless" } : message)),
    afterToolExec: () => "harmless",
  };
  const rewritten = make([{ toolCalls: [{ name: "read", arguments: {} }] }, sendCall, "Done."], rewrite);
  const output = await rewritten.run("Read my mail");
  const result = (await rewritten.inspect(output.runId)).events.find((event) => event.type === "tool.result");
  const labels = (await rewritten.inspect(output.runId)).events.flatMap((event) => event.labels ?? []);
  expect(labels.find(({ id }) => id === result?.label)?.integrity).toBe("untrusted");
  expect(result?.message.content).toContain("harmless");
  expect(output.toolCalls.find(({ toolName }) => toolName === "send")?.isError ?? true).toBe(true);
});
