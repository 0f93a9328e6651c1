import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  eventBus,
  eventTable,
  eventTableMarkdown,
  memoryStore,
  tool,
  type BusEventName,
  type RunEvent,
  type RunHandle,
  type TokenEvent,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  add,
  addCall,
  collect,
  counter,
  listeningLogger,
  quiet,
  waiting,
  writeCall,
  failureOf,
} from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

// The flow policy holds back the last word of an answer; this test is only about the runner.
const base = { name: "agent", logger: quiet, flow: "off" } as const;

/** A model whose answer is streamed in many pieces. */
const longAnswer = (pieces: number) => [{ deltas: Array.from({ length: pieces }, (_, index) => `${index} `) }];

test("one table lists every event with its names, and the reference is generated from it [events.one-table]", () => {
  const printed = eventTableMarkdown();
  for (const [type, row] of Object.entries(eventTable)) {
    const names = `${row.kind} | \`${row.token}\` | \`${row.handler}\` | \`${row.bus}\` |`;
    expect(
      printed.split("\n").filter((line) => line.startsWith(`| \`${type}\` | `) && line.endsWith(`| ${names}`)),
    ).toHaveLength(1);
  }
  expect(eventTable.text).toMatchObject({ handler: "onTextDelta", token: "text_delta", bus: "run.stream.chunk" });
  expect(eventTable["tool.result"]).toMatchObject({
    handler: "onToolExecutionOutput",
    token: "tool_execution_output",
    bus: "tool.result",
  });
});

test("an event has its own name on each channel, except those that other frameworks named first [events.one-table] [seams.events.bus-names]", () => {
  const chunk = "run.stream.chunk";
  const named: Readonly<Record<string, readonly [handler: string, token: string, bus: string]>> = {
    text: ["onTextDelta", "text_delta", chunk],
    thinking: ["onReasoning", "reasoning", chunk],
    tool_call_start: ["onToolCallStart", "tool_call_start", chunk],
    tool_call_delta: ["onToolCallDelta", "tool_call_delta", chunk],
    tool_call_end: ["onToolCallEnd", "tool_call_end", chunk],
    source: ["onSource", "source", chunk],
    file: ["onFile", "file", chunk],
    raw: ["onRaw", "raw", chunk],
    finish: ["onFinish", "finish", chunk],
    "tool.progress": ["onToolProgress", "tool_progress", "tool.progress"],
    "tool.partial": ["onToolPartial", "tool_partial", "tool.partial"],
    "structured.delta": ["onStructuredDelta", "structured_delta", "structured.delta"],
    "agent.event": ["onToolExecutionStream", "tool_execution_stream", "agent.event"],
    "observer.lagging": ["onObserverLagging", "observer_lagging", "observer.lagging"],
    "guardrail.retracted": ["onGuardrailRetracted", "guardrail_retracted", "guardrail.retracted"],
    "tool.call": ["onToolExecutionStart", "tool_execution_start", "tool.call"],
    "tool.result": ["onToolExecutionOutput", "tool_execution_output", "tool.result"],
    "run.end": ["onDone", "done", "run.end"],
  };
  const pascal = (type: string) => type.replaceAll(/(?:^|[._])(\w)/gu, (_all, letter: string) => letter.toUpperCase());
  for (const [type, { handler, token, bus }] of Object.entries(eventTable))
    expect([type, handler, token, bus]).toEqual([type, ...(named[type] ?? [`on${pascal(type)}`, type, type])]);
});

test("journal events are durable and the same as those that were streamed [events.channel.journal]", async () => {
  const agent = new Agent({
    ...base,
    model: scriptedModel([addCall(), "It is 3."]),
    tools: [add],
    store: memoryStore(),
  });
  const handle = agent.stream("go");
  const { events } = await collect(handle);
  const streamed = events.filter((event) => "seq" in event);
  expect(streamed).toEqual((await agent.inspect(handle.runId)).events);
});

test("a handle is iterable, has a result, and turns into a web stream [events.channel.iterator] [seams.surface.run-handle]", async () => {
  const agent = new Agent({ ...base, model: scriptedModel(() => "Hello there.") });
  const handle = agent.stream("go");
  const reader = handle.toReadableStream().getReader();
  const types: string[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) types.push(next.value.type);
  expect(types).toEqual(["run.start", "model.intent", "text", "text", "model.result", "finish", "run.end"]);
  expect((await handle.result).text).toBe("Hello there.");
  expect(() => handle[Symbol.asyncIterator]()).toThrow("one iterator");
});

test("a run is at most 256 events ahead of its reader, then waits between chunks [events.channel.iterator.bounded]", async () => {
  const model = scriptedModel(longAnswer(1_000));
  const handle = new Agent({ ...base, model }).stream("go");
  const iterator = handle[Symbol.asyncIterator]();
  await iterator.next();
  await expect.poll(() => model.chunksSent).toBeGreaterThan(200);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(model.chunksSent).toBeLessThanOrEqual(258);
  let count = 1;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) count += 1;
  expect(count).toBe(1_005);
});

test("a slow reader never delays a tool call [events.channel.iterator.bounded]", async () => {
  const started: number[] = [];
  const many = tool({
    name: "many",
    description: "Reports a lot.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    streamingHint: true,
    execute: async (_input, ctx) => {
      for (let index = 0; index < 500; index += 1) ctx.reportProgress({ fraction: index / 500 });
      started.push(1);
      return "done";
    },
  });
  const handle = new Agent({
    ...base,
    model: scriptedModel([{ toolCalls: [{ name: "many" }] }, "Done."]),
    tools: [many],
  }).stream("go");
  const iterator = handle[Symbol.asyncIterator]();
  await iterator.next();
  await expect.poll(() => started).toEqual([1]);
  await iterator.return?.();
});

test("dropping the iterator aborts the run [events.channel.iterator.drop-aborts]", async () => {
  const model = scriptedModel(longAnswer(1_000));
  const handle = new Agent({ ...base, model }).stream("go");
  for await (const event of handle) if (event.type === "text") break;
  expect(await handle.result).toMatchObject({ status: "cancelled" });
});

/** Reads a stream up to the first event of a type, and stops. */
async function leaveAt(handle: RunHandle, type: RunEvent["type"]): Promise<void> {
  for await (const event of handle) if (event.type === type) break;
}

test("leaving a stream while the run only waits for a person suspends the run [events.channel.iterator.drop-suspends]", async () => {
  const approvals = [
    undefined,
    // An approver of this process that never answers.
    { onApproval: () => new Promise<never>(() => undefined) },
  ];
  for (const approval of approvals) {
    const { write, ran } = counter({ needsApproval: true });
    const model = scriptedModel([writeCall(), "Done."]);
    const agent = new Agent({ ...base, model, tools: [write], store: memoryStore(), approval });
    const handle = agent.stream("go");
    await leaveAt(handle, "tool.approval.requested");
    const left = await handle.result;
    expect(left).toMatchObject({ status: "suspended", stopReason: "awaiting_approval" });
    expect(ran).toEqual([]);
    const done = await agent.resume(
      left.runId,
      left.interruptions.map((one) => one.approve()),
    );
    expect([done.status, done.text, ran]).toEqual(["completed", "Done.", ["a"]]);
  }
});

test("leaving the iterator at a question of ctx.ask suspends the run [events.channel.iterator.drop-suspends]", async () => {
  const ask = tool({
    name: "ask_size",
    description: "Asks for a size.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async (_input, ctx) => `size ${await ctx.ask({ question: "Which size?", schema: z.number() })}`,
  });
  const model = scriptedModel([{ toolCalls: [{ name: "ask_size" }] }, "Done."]);
  const agent = new Agent({ ...base, model, tools: [ask], store: memoryStore() });
  const handle = agent.stream("go");
  await leaveAt(handle, "input.requested");
  expect(await handle.result).toMatchObject({ status: "suspended", stopReason: "awaiting_answer" });
});

test("leaving a stream cancels the run if a tool still works beside an open question [events.channel.iterator.drop-suspends]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const work = tool({
    name: "work",
    description: "Works until it is stopped.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    execute: (_input, { signal }) =>
      new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("stopped"))),
  });
  const model = scriptedModel([
    { toolCalls: [{ name: "write", arguments: { line: "a" } }, { name: "work" }] },
    "never",
  ]);
  const agent = new Agent({ ...base, model, tools: [write, work], store: memoryStore() });
  const handle = agent.stream("go");
  await leaveAt(handle, "tool.approval.requested");
  expect(await handle.result).toMatchObject({ status: "cancelled" });
  expect(ran).toEqual([]);
  expect(model.requests).toHaveLength(1);
});

test("a detached run continues without its reader [events.channel.iterator.detached]", async () => {
  const handle = new Agent({ ...base, model: scriptedModel(longAnswer(1_000)) }).stream("go", { detached: true });
  for await (const event of handle) if (event.type === "text") break;
  expect(await handle.result).toMatchObject({ status: "completed" });
});

test("awaiting only the result of a stream is not blocked by the queue", async () => {
  const result = await new Agent({ ...base, model: scriptedModel(longAnswer(2_000)) }).stream("go").result;
  expect(result.status).toBe("completed");
});

test("runs whose stream has no reader are paused, not buffered [field-bug:PB-stream-memory-03]", async () => {
  const models = Array.from({ length: 25 }, () => scriptedModel(longAnswer(5_000)));
  const handles = models.map((model) => new Agent({ ...base, model }).stream("go"));
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const model of models) expect(model.chunksSent).toBeLessThan(300);
  for (const handle of handles) handle.abort();
  const results = await Promise.all(handles.map((handle) => handle.result));
  expect(results.every(({ status }) => status === "cancelled")).toBe(true);
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("a long stream is not buffered [field-bug:PB-stream-memory-01]", async () => {
  const model = scriptedModel(["short"]);
  const agent = new Agent({
    ...base,
    model: {
      ...model,
      async *stream(request) {
        for (let index = 0; index < 200_000; index += 1) {
          // Each chunk is a separate text, so a chunk that is kept is visible.
          yield { type: "raw", event: Buffer.alloc(1_024, `${index},`).toString() };
        }
        yield* model.stream(request);
      },
    },
  });
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  let highest = 0;
  let seen = 0;
  for await (const event of agent.stream("go")) {
    seen += 1;
    if (event.type !== "raw" || seen % 50_000 > 0) continue;
    collectGarbage();
    highest = Math.max(highest, process.memoryUsage().heapUsed - before);
  }
  expect(seen).toBeGreaterThan(200_000);
  expect(highest).toBeLessThan(60_000_000);
});

test("onToken is one function or an object of handlers; a throw is reported once and changes nothing [events.channel.observers] [messages.token-handlers]", async () => {
  const logger = listeningLogger();
  const agent = new Agent({ ...base, logger, model: scriptedModel(() => ({ reasoning: "hm", text: "Hello there." })) });
  const types: string[] = [];
  const result = await agent.run("go", {
    onToken: (agentName, event) => {
      types.push(`${agentName}:${event.type}`);
      throw new Error("observer");
    },
  });
  expect(result.text).toBe("Hello there.");
  expect(types).toEqual(
    [
      "run.start",
      "hook.failed",
      "model.intent",
      "reasoning",
      "text_delta",
      "text_delta",
      "model.result",
      "finish",
      "done",
    ].map((type) => `agent:${type}`),
  );
  expect(logger.lines.filter((line) => line.includes("onToken"))).toHaveLength(1);
  const texts: (string | undefined)[] = [];
  let done: TokenEvent | undefined;
  await agent.run("go", {
    onToken: {
      onTextDelta: (_name, event) => void texts.push(event.content),
      onDone: (_name, event) => void (done = event),
    },
  });
  expect(texts).toEqual(["Hello", " there."]);
  expect(done).toMatchObject({ type: "done", reason: "completed" });
  await expect(agent.run("go", { onToken: { onTextDeltas: () => undefined } })).rejects.toThrow(
    "is not an event's handler",
  );
});

test("the model is streamed only if an observer wants deltas [seams.surface.streamed-when-taken] [events.channel.observers.none]", async () => {
  const model = scriptedModel(() => "Hello.");
  const bus = eventBus();
  const agent = new Agent({ ...base, model, eventBus: bus });
  await agent.run("go");
  bus.on("tool.call", () => undefined);
  await agent.run("go", { onToken: { onDone: () => undefined } });
  expect(model.calls).toEqual({ generate: 2, stream: 0 });
  await agent.run("go", { timeouts: { firstChunkMs: 600_000 } });
  await agent.run("go", { onToken: { onTextDelta: () => undefined } });
  bus.on("run.stream.chunk", () => undefined);
  await agent.run("go");
  expect(model.calls).toEqual({ generate: 2, stream: 3 });
});

test("the bus emits the events and payloads of the reference [messages.event-bus] [messages.event-bus.returns] [seams.events.bus-names]", async () => {
  const bus = eventBus();
  const seen: Record<string, unknown> = {};
  const names: BusEventName[] = [
    "run.start",
    "run.complete",
    "tool.call",
    "tool.result",
    "run.stream.chunk",
    "cost.tracked",
    "model.intent",
    "run.end",
  ];
  for (const name of names) expect(bus.on(name, (data) => void (seen[name] ??= data))).toBe(bus);
  await new Agent({ ...base, model: scriptedModel([addCall(), "It is 3."]), tools: [add], eventBus: bus }).run("go", {
    tenantId: "t1",
  });
  const origin = { agentName: "agent", tenantId: "t1" };
  expect(seen["run.start"]).toMatchObject({ ...origin, input: "go" });
  expect(seen["tool.call"]).toMatchObject({ ...origin, toolName: "add", args: { a: 1, b: 2 } });
  expect(seen["tool.result"]).toMatchObject({ ...origin, toolName: "add", result: 3, isError: false });
  expect(seen["run.stream.chunk"]).toMatchObject({ ...origin, chunk: { type: "tool_call_start" } });
  expect(seen["cost.tracked"]).toMatchObject({ ...origin, modelId: "scripted-1", costUsd: undefined });
  expect(seen["run.complete"]).toMatchObject({ ...origin, output: { text: "It is 3." } });
  expect(Object.keys(seen).toSorted()).toEqual([...names].toSorted());
  const none = eventBus();
  expect(none.emit("memory.stored", { runId: "r", agentName: "a", store: "s", key: "k" })).toBe(false);
  let once = 0;
  none.once("memory.stored", () => void (once += 1));
  expect(none.emit("memory.stored", { runId: "r", agentName: "a", store: "s", key: "k" })).toBe(true);
  expect(none.emit("memory.stored", { runId: "r", agentName: "a", store: "s", key: "k" })).toBe(false);
  expect(once).toBe(1);
});

test("a failing run emits run.error on the bus, and a throwing bus handler is logged once", async () => {
  const logger = listeningLogger();
  const bus = eventBus({ logger });
  const errors: Error[] = [];
  bus.on("run.error", ({ error }) => void errors.push(error));
  bus.on("run.start", () => {
    throw new Error("handler");
  });
  const agent = new Agent({
    ...base,
    model: scriptedModel(() => ({ faults: { error: { status: 400 } } })),
    eventBus: bus,
  });
  const emitted = new Promise((resolve) => bus.once("run.error", ({ error }) => resolve(error)));
  expect(await failureOf(agent.run("go"))).toEqual(await emitted);
  await expect(agent.run("go")).rejects.toThrow("400");
  expect(errors).toHaveLength(2);
  expect(logger.lines).toHaveLength(1);
});

test("a reconnecting reader gets each record once, and the open turn's deltas only for a resumable run [events.reconnect]", async () => {
  const model = scriptedModel([addCall(), { text: "one two three four", faults: { hangAfterEvents: 3 } }]);
  const agent = new Agent({ ...base, model, tools: [add], store: memoryStore() });
  const handle = agent.stream("go", { resumable: true, detached: true });
  let texts = 0;
  for await (const event of handle) if (event.type === "text" && (texts += 1) === 3) break;
  const seen: RunEvent[] = [];
  for await (const event of agent.follow(handle.runId, { afterSeq: 2 })) {
    seen.push(event);
    if (event.type === "text" && event.text === " three") handle.abort();
  }
  const { events } = await agent.inspect(handle.runId);
  expect(seen.filter((event) => "seq" in event)).toEqual(events.slice(2));
  expect(seen.flatMap((event) => (event.type === "text" ? [event.text] : []))).toEqual(["one", " two", " three"]);
  expect(seen.some(({ type }) => type === "tool_call_delta")).toBe(false);
  const later: RunEvent[] = [];
  for await (const event of agent.follow(handle.runId)) later.push(event);
  expect(later).toEqual(events);
});

test("a reader that reconnects between two turns gets the answer's record, and not the deltas that it repeats [events.reconnect]", async () => {
  let finish: (() => void) | undefined;
  const slow = tool({
    name: "slow",
    description: "Waits.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => new Promise<string>((resolve) => (finish = () => resolve("done"))),
  });
  const model = scriptedModel([
    { text: "I look", toolCalls: [{ name: "slow", arguments: {} }] },
    { text: "I am back." },
  ]);
  const agent = new Agent({ ...base, model, tools: [slow], store: memoryStore() });
  const handle = agent.stream("go", { resumable: true, detached: true });
  for await (const event of handle) if (event.type === "tool.call") break;
  await expect.poll(() => finish).toBeDefined();
  const seen: RunEvent[] = [];
  for await (const event of agent.follow(handle.runId, { afterSeq: 0 })) {
    seen.push(event);
    if (event.type === "tool.call") finish?.();
  }
  const before = seen.slice(
    0,
    seen.findIndex(({ type }) => type === "tool.call"),
  );
  expect(before.some(({ type }) => type === "model.result")).toBe(true);
  expect(before.flatMap(({ type }) => (type === "text" || type.startsWith("tool_call") ? [type] : []))).toEqual([]);
  expect(seen.filter((event) => "seq" in event)).toEqual((await agent.inspect(handle.runId)).events);
});

test("the call's event is emitted before the tool finishes [field-bug:PB-events-01]", async () => {
  const { wait, open } = waiting("through");
  const handle = new Agent({
    ...base,
    model: scriptedModel([{ toolCalls: [{ name: "wait" }] }, "Done."]),
    tools: [wait],
  }).stream("go");
  for await (const event of handle) if (event.type === "tool.call") open();
  expect((await handle.result).toolCalls[0]).toMatchObject({ output: "through" });
});

test("every call in the events has a start event and a result [field-bug:PB-events-06]", async () => {
  const { events } = await collect(
    new Agent({ ...base, model: scriptedModel([addCall(), addCall(2, 2), "Done."]), tools: [add] }).stream("go"),
  );
  const announced = new Set<string>();
  const settled = new Set<string>();
  for (const event of events) {
    if (event.type === "tool_call_start") announced.add(event.toolCall.id);
    if (event.type === "tool.call") expect(announced).toContain(event.toolCallId);
    if (event.type === "tool.result") {
      expect(announced).toContain(event.result.toolCallId);
      settled.add(event.result.toolCallId);
    }
  }
  expect(settled).toEqual(announced);
});

test("text between pieces of a call's arguments keeps start and end events balanced [field-bug:PB-events-04]", async () => {
  const model = scriptedModel([addCall(), "Done."]);
  const interleaved = {
    ...model,
    async *stream(request: Parameters<typeof model.stream>[0]) {
      for await (const chunk of model.stream(request)) {
        yield chunk;
        if (chunk.type === "tool_call_delta") yield { type: "text", text: "…" } as const;
      }
    },
  };
  const { events } = await collect(new Agent({ ...base, model: interleaved, tools: [add] }).stream("go"));
  expect(balance(events)).toBe(0);
});

test("every start event has its end event, also if the run is suspended, aborted or fails [events.grammar]", async () => {
  const { write } = counter({ needsApproval: true });
  const suspended = await collect(
    new Agent({ ...base, model: scriptedModel([writeCall()]), tools: [write] }).stream("go"),
  );
  expect(balance(suspended.events)).toBe(0);
  expect(suspended.events.at(-1)).toMatchObject({ type: "run.end", status: "suspended" });
  for (const faults of [{ cutAfterEvents: 2 }, { hangAfterEvents: 2 }]) {
    const model = scriptedModel([{ ...addCall(), faults }]);
    const handle = new Agent({ ...base, model, tools: [add], retry: { maxRetries: 0 } }).stream("go");
    const collected = collect(handle);
    if ("hangAfterEvents" in faults) {
      await expect.poll(() => model.chunksSent).toBe(faults.hangAfterEvents);
      handle.abort();
    }
    const { events } = await collected;
    expect(balance(events)).toBe(0);
    expect(events.filter(({ type }) => type === "finish")).toHaveLength(1);
    expect(events.at(-1)?.type).toBe("run.end");
  }
});

/** Calls that began but did not end. */
function balance(events: readonly RunEvent[]): number {
  const open = new Set<string>();
  for (const event of events) {
    if (event.type === "tool_call_start") open.add(event.toolCall.id);
    if (event.type === "tool_call_end") open.delete(event.toolCallId);
  }
  return open.size;
}
