import { eventBus, interruption, tool, type InterruptionData, type RunEvent } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { z } from "zod";
import { add, addCall, collect, counter, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off" } as const;

test("every message has an id and a time; an answer keeps its parts in order, its raw arguments and its model [messages.message] [messages.assistant-message] [messages.tool-message] [messages.tool-call]", async () => {
  const model = scriptedModel([
    { reasoning: "hm", text: "I add.", toolCalls: [{ name: "add", arguments: '{"a": 1,  "b": 2}' }] },
    "It is 3.",
  ]);
  const { messages } = await new Agent({ ...base, model, tools: [add] }).run("go");
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  for (const message of messages)
    expect(message).toMatchObject({ id: expect.any(String) as string, timestamp: expect.any(Number) as number });
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
  expect(messages[1]).toMatchObject({
    content: [{ type: "reasoning", text: "hm" }, { type: "text", text: "I add." }, { type: "tool_call" }],
    toolCalls: [{ name: "add", arguments: '{"a": 1,  "b": 2}', input: { a: 1, b: 2 } }],
    finishReason: "tool_calls",
    provenance: { provider: "scripted", api: "in-process", model: "scripted-1" },
    usage: { totalTokens: expect.any(Number) as number },
  });
  expect(messages[2]).toMatchObject({ role: "tool", toolName: "add", content: "3" });
});

test("given messages keep their ids, times and names, and the model reads them after its instructions [messages.message]", async () => {
  const model = scriptedModel(["Hello Ana."]);
  const given = [
    { id: "m1", role: "user", name: "ana", content: "I am Ana.", timestamp: 5 },
    { id: "m2", role: "system", content: "The shop is closed.", timestamp: 6 },
  ] as const;
  const agent = new Agent({ ...base, model, instructions: "Be polite." });
  const { messages } = await agent.run("Hello?", { messages: given });
  expect(messages.slice(0, 2)).toEqual(given);
  const sent = model.requests[0]?.messages;
  expect(sent?.map(({ role }) => role)).toEqual(["system", "user", "system", "user"]);
  expect(sent?.[1]).toMatchObject({ name: "ana", content: "I am Ana." });
});

test("the stream emits the chunks of an answer, and the whole answer with the last chunk [messages.stream-chunk] [messages.model-response] [messages.finish-reason]", async () => {
  const { events } = await collect(
    new Agent({ ...base, model: scriptedModel([{ reasoning: "hm", ...addCall() }, "It is 3."]), tools: [add] }).stream(
      "go",
    ),
  );
  const chunks = events.filter((event) => !("seq" in event));
  expect(chunks.map(({ type }) => type)).toEqual([
    "thinking",
    "tool_call_start",
    "tool_call_delta",
    "tool_call_delta",
    "tool_call_end",
    "finish",
    "text",
    "text",
    "text",
    "finish",
  ]);
  expect(chunks.at(-1)).toMatchObject({
    finishReason: "stop",
    response: {
      message: { role: "assistant" },
      finishReason: "stop",
      warnings: [],
      usage: { totalTokens: expect.any(Number) as number },
    },
  });
});

test("counts are summed over the model calls; unknown ones stay absent [messages.token-usage]", async () => {
  const step = { usage: { inputTokens: 100, outputTokens: 20, cachedTokens: 40, reasoningTokens: 5 } };
  const { usage } = await new Agent({
    ...base,
    model: scriptedModel([
      { ...addCall(), ...step },
      { text: "x", ...step },
    ]),
    tools: [add],
  }).run("go");
  expect(usage).toMatchObject({
    inputTokens: 200,
    outputTokens: 40,
    totalTokens: 240,
    cachedTokens: 80,
    reasoningTokens: 10,
  });
  expect(usage).not.toHaveProperty("audioInputTokens");
});

test("every call of the run is listed with its outcome [messages.tool-call-result]", async () => {
  const model = scriptedModel([
    { toolCalls: [{ name: "add", arguments: { a: 1, b: 2 } }, { name: "add", arguments: "{" }, { name: "nobody" }] },
    "Done.",
  ]);
  const { toolCalls } = await new Agent({ ...base, model, tools: [add] }).run("go");
  expect(toolCalls).toMatchObject([
    { toolName: "add", input: { a: 1, b: 2 }, output: 3, isError: false, durationMs: expect.any(Number) as number },
    { toolName: "add", input: "{", isError: true, error: { kind: "invalid_input" } },
    { toolName: "nobody", isError: true, error: { kind: "unknown_tool" } },
  ]);
});

test("an interruption is data, and its methods make decisions as data [messages.interruption]", async () => {
  const { write } = counter({ needsApproval: true });
  const first = await new Agent({ ...base, model: scriptedModel([writeCall()]), tools: [write] }).run("go");
  const data = JSON.parse(JSON.stringify(first.interruptions[0])) as InterruptionData;
  expect(data).toMatchObject({
    kind: "approval",
    runId: first.runId,
    agentName: "agent",
    agentPath: ["agent"],
    toolName: "write",
    args: { line: "a" },
  });
  const one = interruption(data);
  expect(JSON.parse(JSON.stringify(one))).toEqual(data);
  const { id } = data;
  expect(one.approve({ args: { line: "b" }, remember: "tool", decidedBy: "ada" })).toEqual({
    id,
    type: "approve",
    args: { line: "b" },
    remember: "tool",
    decidedBy: "ada",
  });
  expect(one.reject("no")).toEqual({ id, type: "reject", reason: "no" });
  expect(one.answer(4)).toEqual({ id, type: "answer", value: 4 });
  expect([one.itHappened("x"), one.itDidNotHappen(), one.giveUp("why")]).toEqual([
    { id, type: "it_happened", output: "x" },
    { id, type: "it_did_not_happen" },
    { id, type: "give_up", reason: "why" },
  ]);
});

test("an inline approver is asked once per call, and decides [messages.approval-decision] [messages.approval-config]", async () => {
  const { write, ran } = counter();
  const asked: unknown[] = [];
  const model = scriptedModel([
    { toolCalls: ["a", "b", "c"].map((line) => ({ name: "write", arguments: { line } })) },
    "Done.",
  ]);
  const agent = new Agent({
    ...base,
    model,
    tools: [write],
    approval: {
      policy: ["write"],
      onApproval: ({ args }) => {
        asked.push(args);
        const { line } = args as { line: string };
        return line === "a"
          ? { approved: true }
          : line === "b"
            ? { approved: true, args: { line: "edited" } }
            : { approved: false, reason: "no" };
      },
    },
  });
  const result = await agent.run("go");
  expect(asked).toEqual([{ line: "a" }, { line: "b" }, { line: "c" }]);
  expect(ran).toEqual(["a", "edited"]);
  expect(result.toolCalls[2]).toMatchObject({ isError: true, error: { kind: "approval_denied" } });
});

test("a tool that ignores the abort has an unknown outcome, and a queued one is not started [field-bug:PB-abort-11]", async () => {
  const controller = new AbortController();
  const write = tool({
    name: "write",
    description: "Writes.",
    inputSchema: z.object({ n: z.number() }),
    sideEffectClass: "external-stateful",
    executionMode: "sequential",
    idempotencyKey: "call",
    execute: () => {
      controller.abort();
      return new Promise<string>(() => undefined);
    },
  });
  const model = scriptedModel([{ toolCalls: [1, 2].map((n) => ({ name: "write", arguments: { n } })) }]);
  const { toolCalls } = await new Agent({ ...base, model, tools: [write] }).run("go", { signal: controller.signal });
  expect(toolCalls[0]?.error?.effectHappened).toBe("unknown");
  expect(toolCalls[1]?.error?.message).toContain("no effect");
});

test("an abort reaches an agent inside a tool, and a shared signal keeps no listeners [field-bug:PB-abort-05]", async () => {
  const inner = scriptedModel(() => ({ faults: { hangAfterEvents: 0 } }), { modelId: "inner" });
  const child = new Agent({ ...base, name: "child", model: inner });
  const ask = tool({
    name: "ask",
    description: "Asks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async (_input, ctx) => (await child.run("go", { signal: ctx.signal })).text,
  });
  const controller = new AbortController();
  const parent = new Agent({
    ...base,
    model: scriptedModel([{ toolCalls: [{ name: "ask" }] }, "never"]),
    tools: [ask],
  });
  const handle = parent.stream("go", { signal: controller.signal });
  await expect.poll(() => inner.requests.length).toBe(1);
  controller.abort();
  expect((await handle.result).status).toBe("cancelled");
  expect(inner.requests[0]?.signal?.aborted).toBe(true);
  expect(inner.requests).toHaveLength(1);
  const shared = new AbortController();
  const quick = new Agent({ ...base, model: scriptedModel(() => "x") });
  await Promise.all(Array.from({ length: 50 }, () => quick.run("go", { signal: shared.signal })));
  expect(getEventListeners(shared.signal, "abort")).toHaveLength(0);
});

test("a slow reader loses deltas, learns how many, and gets every record [events.channel.observers.lagging]", async () => {
  const model = scriptedModel([
    {
      parts: [
        { type: "reasoning", text: "x".repeat(12_000), summaryParts: Array.from({ length: 12_000 }, () => "x") },
        { type: "text", text: "Done." },
      ],
    },
    "never",
  ]);
  const agent = new Agent({ ...base, model });
  const handle = agent.stream("go", { resumable: true, detached: true });
  const seen: RunEvent[] = [];
  let reading: Promise<void> | undefined;
  for await (const event of handle) {
    if (event.type !== "model.intent") continue;
    const reader = agent.follow(handle.runId);
    await reader.next();
    reading = handle.result.then(async () => {
      for await (const late of reader) seen.push(late);
    });
  }
  await reading;
  const lagging = seen.flatMap((event) => (event.type === "observer.lagging" ? [event.dropped] : []));
  expect(lagging).toHaveLength(1);
  expect(lagging[0]).toBeGreaterThan(1_000);
  expect(seen.filter((event) => "seq" in event).map(({ type }) => type)).toEqual([
    "model.intent",
    "model.result",
    "run.end",
  ]);
});

test("an agent's bus is the one in its context", async () => {
  const bus = eventBus();
  let same = false;
  await new Agent({
    ...base,
    model: scriptedModel(["x"]),
    eventBus: bus,
    hooks: { beforeRun: (ctx) => void (same = ctx.eventBus === bus) },
  }).run("go");
  expect(same).toBe(true);
});
