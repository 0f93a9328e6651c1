import {
  ContextOverflowError,
  ModelApiError,
  tool,
  type Clock,
  type ModelProvider,
  type ModelRequest,
  type RunContext,
} from "@bailiwick/core";
import { scriptedModel, type ScriptedModel } from "@bailiwick/testing";
import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { z } from "zod";
import { add, addCall, collect, failureOf, movedClock, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet } as const;

/** A clock whose time advances only when code waits for it. */
function jumpingClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  let now = 1_000;
  return {
    waits,
    now: () => now,
    setTimer(callback, delayMs, options) {
      if (options?.keepAlive !== true) return () => undefined;
      waits.push(delayMs);
      now += delayMs;
      queueMicrotask(callback);
      return () => undefined;
    },
  };
}

test("a retryable failure is retried, after the vendor's delay if it sends one", async () => {
  const clock = jumpingClock();
  const model = scriptedModel([
    { faults: { error: { status: 529 } } },
    { faults: { error: { status: 429, retryAfterSeconds: 2 } } },
    "Hello.",
  ]);
  const result = await new Agent({ ...base, model, clock }).run("go");
  expect(result.text).toBe("Hello.");
  expect(result.metrics.retries).toBe(2);
  expect(clock.waits).toHaveLength(2);
  expect(clock.waits[0]).toBeGreaterThanOrEqual(375);
  expect(clock.waits[0]).toBeLessThanOrEqual(500);
  expect(clock.waits[1]).toBe(2_000);
});

test("a delay above the cap fails at once with the delay in the error; a non-retryable failure is not retried", async () => {
  const clock = jumpingClock();
  const long = scriptedModel([{ faults: { error: { status: 429, retryAfterSeconds: 60 } } }]);
  expect(String(await failureOf(new Agent({ ...base, model: long, clock }).run("go")))).toContain("60000 ms");
  const bad = scriptedModel([{ faults: { error: { status: 400 } } }]);
  await failureOf(new Agent({ ...base, model: bad, clock }).run("go"));
  expect(bad.requests).toHaveLength(1);
  expect(clock.waits).toEqual([]);
});

test("maxRetries bounds the retries, retryableErrors replaces the rule [messages.retry-config]", async () => {
  const clock = jumpingClock();
  const model = scriptedModel(() => ({ faults: { error: { status: 500 } } }));
  await failureOf(new Agent({ ...base, model, clock }).run("go"));
  expect(model.requests).toHaveLength(4);
  expect(clock.waits.map((wait) => Math.ceil(wait / 500))).toEqual([1, 2, 4]);
  const patient = jumpingClock();
  await failureOf(new Agent({ ...base, model, clock: patient, retry: { maxRetries: 7 } }).run("go"));
  for (const wait of patient.waits.slice(-2)) {
    expect(wait).toBeLessThanOrEqual(10_000);
    expect(wait).toBeGreaterThanOrEqual(7_500);
  }
  const teapot = scriptedModel([{ faults: { error: { status: 418 } } }, "tea"]);
  expect(
    (await new Agent({ ...base, model: teapot, clock, retry: { retryableErrors: () => true } }).run("go")).text,
  ).toBe("tea");
});

test("initialDelayMs and maxDelayMs set the delays of the retries [messages.retry-config]", async () => {
  const clock = jumpingClock();
  const model = scriptedModel(() => ({ faults: { error: { status: 500 } } }));
  const retry = { maxRetries: 3, initialDelayMs: 8_000, maxDelayMs: 20_000 };
  await failureOf(new Agent({ ...base, model, clock, retry }).run("go"));
  // A delay is spread over its last quarter.
  expect(clock.waits).toHaveLength(3);
  for (const [index, most] of [8_000, 16_000, 20_000].entries()) {
    expect(clock.waits[index]).toBeLessThanOrEqual(most);
    expect(clock.waits[index]).toBeGreaterThanOrEqual(most * 0.75);
  }
});

test("a stream that breaks after two pieces is an error, not an end [field-bug:PB-stream-errors-03]", async () => {
  const model = scriptedModel([{ text: "one two three", faults: { cutAfterEvents: 2 } }]);
  const pieces: string[] = [];
  const reading = (async () => {
    for await (const event of new Agent({ ...base, model, retry: { maxRetries: 0 } }).stream("go"))
      if (event.type === "text") pieces.push(event.text);
  })();
  await expect(reading).rejects.toMatchObject({ code: "MODEL_CONNECTION_ERROR" });
  expect(pieces).toHaveLength(2);
});

test("a bad key is an error that can be caught, with provider and status [field-bug:PB-stream-errors-02]", async () => {
  const agent = new Agent({ ...base, model: scriptedModel(() => ({ faults: { error: { status: 401 } } })) });
  expect(await failureOf(agent.stream("go").result)).toMatchObject({ provider: "scripted", status: 401 });
});

test("fallback models are called in order, with the history compiled for each [providers.rule.fallback]", async () => {
  const first = scriptedModel(() => ({ faults: { error: { status: 400 } } }), { modelId: "first" });
  const second = scriptedModel(["Hello."], { modelId: "second" });
  const result = await new Agent({ ...base, model: first, fallback: [second], tools: [add] }).run("go");
  expect(result).toMatchObject({ text: "Hello.", model: "second" });
  expect(second.requests[0]?.tools).toHaveLength(1);
  expect(result.warnings.map(({ code }) => code)).toContain("model_fallback");
  const failing = (modelId: string) => scriptedModel(() => ({ faults: { error: { status: 400 } } }), { modelId });
  const [third, last] = ["third", "last"].map((modelId) => scriptedModel([`The ${modelId}.`], { modelId })) as [
    ScriptedModel,
    ScriptedModel,
  ];
  const chain = await new Agent({ ...base, model: first, fallback: [failing("second"), third, last] }).run("go");
  expect(chain).toMatchObject({ text: "The third.", model: "third" });
  expect(chain.warnings.map(({ subject }) => subject)).toEqual(["scripted/first", "scripted/second"]);
});

/** A model that refuses requests above a number of messages. */
function narrow(limit: number, model: ScriptedModel): ModelProvider {
  const check = (request: ModelRequest): void => {
    if (request.messages.length > limit) throw new ContextOverflowError("too long", { provider: "narrow" });
  };
  return { ...model, generate: async (request) => (check(request), model.generate(request)) };
}

test("a context overflow shortens the conversation and retries once [context.overflow-retry]", async () => {
  const messages = Array.from({ length: 20 }, (_, index) => ({
    id: `m${index}`,
    role: "user" as const,
    content: `message ${index} ${"x".repeat(100)}`,
  }));
  const model = scriptedModel(["Hello."]);
  const result = await new Agent({ ...base, model: narrow(12, model) }).run("go", { messages });
  expect(result.text).toBe("Hello.");
  expect(model.requests[0]?.messages.length).toBeLessThan(12);
  expect(result.messages).toHaveLength(22);
});

test("an unresolved context overflow rejects the run [run.stop.context-overflow]", async () => {
  const error = await failureOf(new Agent({ ...base, model: narrow(0, scriptedModel(["never"])) }).run("go"));
  expect(error).toMatchObject({
    code: "CONTEXT_OVERFLOW",
    output: { status: "failed", stopReason: "context_overflow" },
  });
});

/** A model that streams some chunks and then nothing. */
function silentAfter(pieces: number, timeouts?: ModelProvider["timeouts"]): ModelProvider {
  const scripted = scriptedModel([{ text: "one two three", faults: { hangAfterEvents: pieces } }]);
  return { ...scripted, timeouts };
}

test("a streamed answer has time limits without any option: 10 minutes to the first chunk, 5 minutes between chunks, those of the model, and those of the run [options.timeouts.defaults]", async () => {
  const minute = 60_000;
  const patient = { firstChunkMs: 30 * minute, idleChunkMs: 30 * minute };
  const endless = { firstChunkMs: Infinity, idleChunkMs: Infinity };
  for (const [pieces, ofModel, ofRun, limit] of [
    [0, undefined, {}, 10 * minute],
    [1, undefined, {}, 5 * minute],
    [0, patient, {}, 30 * minute],
    [1, patient, {}, 30 * minute],
    [0, patient, { firstChunkMs: minute }, minute],
    [1, patient, { idleChunkMs: minute }, minute],
    [0, endless, {}, Infinity],
    [1, endless, {}, Infinity],
  ] as const) {
    const clock = movedClock();
    const model = silentAfter(pieces, ofModel);
    const agent = new Agent({ ...base, model, clock, timeouts: ofRun, retry: { maxRetries: 0 } });
    const handle = agent.stream("go");
    const failure = handle.result.catch((error: unknown) => error);
    let shown = 0;
    const reading = (async () => {
      for await (const { type } of handle) if (type === "text" || type === "model.intent") shown += 1;
    })().catch(() => undefined);
    await expect.poll(() => shown).toBe(1 + pieces);
    await new Promise((resolve) => setImmediate(resolve));
    clock.move(Math.min(limit, 24 * 60 * minute) - 1);
    await new Promise((resolve) => setImmediate(resolve));
    if (limit === Infinity) {
      handle.abort();
      clock.move(minute);
      expect(await failure).toMatchObject({ status: "cancelled" });
      await reading;
      continue;
    }
    expect(await Promise.race([failure, Promise.resolve("still waits")])).toBe("still waits");
    clock.move(1);
    await expect.poll(() => clock.waits.length).toBeGreaterThan(1);
    // The provider has a moment to report what had arrived.
    clock.move(minute / 10);
    expect(await failure).toMatchObject({
      code: "MODEL_TIMEOUT",
      timeout: pieces === 0 ? "first_chunk" : "idle_chunk",
      message: expect.stringContaining(`${limit} ms`) as string,
    });
    await reading;
  }
});

test("a silent model times out [options.timeouts.first-chunk-ms] [options.timeouts.idle-chunk-ms]", async () => {
  const silent = scriptedModel(() => ({ text: "one two three", faults: { hangAfterEvents: 0 } }));
  const first = await failureOf(
    new Agent({ ...base, model: silent, timeouts: { firstChunkMs: 20 }, retry: { maxRetries: 0 } }).run("go"),
  );
  expect(first).toMatchObject({ code: "MODEL_TIMEOUT", timeout: "first_chunk" });
  expect(silent.aborted).toBe(1);
  const stuck = scriptedModel(() => ({ text: "one two three", faults: { hangAfterEvents: 2 } }));
  const idle = await failureOf(
    new Agent({ ...base, model: stuck, timeouts: { idleChunkMs: 20 }, retry: { maxRetries: 0 } }).run("go"),
  );
  expect(idle).toMatchObject({ code: "MODEL_TIMEOUT", timeout: "idle_chunk" });
});

test("the run and each turn have a limit [options.timeouts.total-ms] [options.timeouts.step-ms]", async () => {
  const silent = scriptedModel(() => ({ faults: { hangAfterEvents: 0 } }));
  const total = await new Agent({ ...base, model: silent, timeouts: { totalMs: 20 } }).run("go");
  expect(total).toMatchObject({ status: "stopped", stopReason: "timed_out" });
  const step = await failureOf(new Agent({ ...base, model: silent, timeouts: { turnMs: 20 } }).run("go"));
  expect(step).toMatchObject({ code: "MODEL_TIMEOUT", timeout: "turn" });
  // Each turn has its own limit: two quick turns are not a slow one.
  const clock = movedClock();
  const quick = scriptedModel(({ toolResults }) => {
    clock.move(4_000);
    return toolResults.length === 0 ? addCall() : "Done.";
  });
  const timeouts = { turnMs: 5_000 };
  expect((await new Agent({ ...base, model: quick, tools: [add], clock, timeouts }).run("go")).text).toBe("Done.");
});

test("a provider that ignores the signal does not hold an aborted run", async () => {
  const deaf: ModelProvider = { ...scriptedModel(["never"]), generate: () => new Promise(() => undefined) };
  const controller = new AbortController();
  const running = new Agent({ ...base, model: deaf }).run("go", { signal: controller.signal });
  setTimeout(() => controller.abort(), 10);
  expect(await running).toMatchObject({ status: "cancelled", stopReason: "cancelled" });
});

function listenersOf(signal: AbortSignal): number {
  return getEventListeners(signal, "abort").length;
}

test("a long-lived signal keeps no listener [field-bug:PB-abort-12]", async () => {
  const controller = new AbortController();
  const agent = new Agent({
    ...base,
    model: scriptedModel((request) => (request.toolResults.length === 0 ? addCall() : "Done.")),
    tools: [add],
  });
  for (let turn = 0; turn < 200; turn += 1) {
    await agent.run("go", { signal: controller.signal });
    expect(listenersOf(controller.signal)).toBe(0);
  }
});

test("a run with many calls causes no listener-leak warning [field-bug:PB-abort-13]", async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error): void => void warnings.push(warning);
  process.on("warning", listen);
  const calls = Array.from({ length: 12 }, () => ({ name: "wait", arguments: {} }));
  const controller = new AbortController();
  let running = 0;
  let ofRun: AbortSignal | undefined;
  let heard: readonly number[] = [];
  const wait = tool({
    name: "wait",
    description: "Waits for the other calls.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    execute: async (_input, { signal }) => {
      running += 1;
      await expect.poll(() => running).toBe(calls.length);
      heard = [controller.signal, signal, ofRun ?? controller.signal].map(listenersOf);
    },
  });
  const model = scriptedModel([{ toolCalls: calls }, "Done."]);
  const tools = ({ signal }: RunContext) => {
    ofRun = signal;
    return [wait];
  };
  const agent = new Agent({ ...base, model, tools, toolConcurrency: calls.length });
  const handle = agent.stream("go", { signal: controller.signal });
  await collect(handle);
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off("warning", listen);
  expect(warnings).toEqual([]);
  // Node does not warn about signals by itself: the calls of a run must not each add a listener.
  expect(Math.max(...heard)).toBeLessThan(3);
});

test("an empty answer fails the run with the model's error, and the run can be resumed", async () => {
  const model = scriptedModel(["Hello."]);
  const broken: ModelProvider = {
    ...model,
    generate: async (request) => {
      const response = await model.generate(request);
      return { ...response, message: { ...response.message, toolCalls: undefined as never } };
    },
  };
  const agent = new Agent({ ...base, model: broken });
  const error = await failureOf(agent.run("go"));
  expect(error).toMatchObject({
    code: "MODEL_RESPONSE_INVALID",
    message: expect.stringContaining("toolCalls") as string,
  });
  expect(await agent.inspect((error as { runId?: string }).runId ?? "")).toMatchObject({ run: { state: "failed" } });
});

test("an answer without usage completes with usage 0 [field-bug:PB-usage-04]", async () => {
  const model = scriptedModel(["Hello."]);
  const bare: ModelProvider = {
    ...model,
    async generate(request) {
      const { usage: _usage, ...response } = await model.generate(request);
      return response as Awaited<ReturnType<ModelProvider["generate"]>>;
    },
  };
  const result = await new Agent({ ...base, model: bare }).run("go");
  expect(result.usage).toMatchObject({ inputTokens: 0, outputTokens: 0, totalTokens: 0 });
});

test("the cost is undefined while a price is unknown, and right when it is known [messages.run-output.cost-usd]", async () => {
  const step = { text: "Hello.", usage: { inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 500_000 } };
  const unknown = await new Agent({ ...base, model: scriptedModel([step]) }).run("go");
  expect(unknown.costUsd).toBeUndefined();
  const prices = { "scripted/scripted-1": { input: 2, cachedInput: 1, output: 10 } };
  const known = await new Agent({ ...base, model: scriptedModel([step]), prices }).run("go");
  expect(known.costUsd).toBeCloseTo(1 + 0.5 + 1);
});

test("own prices come before the list prices of a known model [messages.run-output.cost-usd]", async () => {
  const step = { text: "Hello.", usage: { inputTokens: 1_000_000, outputTokens: 1_000_000 } };
  const model = () => scriptedModel([step], { provider: "openai", modelId: "gpt-5.5" });
  const listed = await new Agent({ ...base, model: model() }).run("go");
  expect(listed.costUsd).toBeGreaterThan(0);
  const prices = { "openai/gpt-5.5": { input: 1_000, output: 2_000 } };
  expect((await new Agent({ ...base, model: model(), prices }).run("go")).costUsd).toBeCloseTo(3_000);
});

test("a budget in dollars refuses a model whose price is unknown", async () => {
  const error = await failureOf(new Agent({ ...base, model: scriptedModel(["never"]), budget: { usd: 1 } }).run("go"));
  expect(error).toMatchObject({ code: "PRICE_UNKNOWN" });
  const prices = { "scripted/scripted-1": { input: 1_000_000, output: 1_000_000 } };
  const result = await new Agent({ ...base, model: scriptedModel(["never"]), prices, budget: { usd: 1 } }).run("go");
  expect(result.stopReason).toBe("budget_exhausted");
});

test("a planner without a price is not called under a budget in dollars, and a warning names its model", async () => {
  const readMail = tool({ name: "read_mail", description: "Reads.", inputSchema: z.object({}), execute: () => "Hi." });
  const sendMail = tool({ name: "send_mail", description: "Sends.", inputSchema: z.object({}), execute: () => true });
  const calls = ["read_mail", "send_mail"].map((name) => ({ toolCalls: [{ name, arguments: {} }] }));
  const planner = scriptedModel(() => '{"asked":false,"quote":""}', { modelId: "own-planner" });
  const asked = (budget?: { usd: number }) =>
    new Agent({
      ...base,
      model: scriptedModel([...calls, "Done."]),
      tools: [readMail, sendMail],
      prices: { "scripted/scripted-1": { input: 1, output: 1 } },
      flow: { planner },
      ...(budget && { budget }),
    }).run("Send it.");
  const bounded = await asked({ usd: 1 });
  expect(bounded.status).toBe("suspended");
  expect(planner.requests).toHaveLength(0);
  expect(bounded.warnings.map(({ message }) => message).join("\n")).toContain("own-planner has no price");
  expect((await asked()).costUsd).toBeUndefined();
  expect(planner.requests).toHaveLength(1);
});

test("budget.durationMs ends a run after that time [options.budget]", async () => {
  const silent = scriptedModel(() => ({ faults: { hangAfterEvents: 0 } }));
  expect((await new Agent({ ...base, model: silent, budget: { durationMs: 20 } }).run("go")).stopReason).toBe(
    "budget_exhausted",
  );
});

test("calls of a truncated answer are not executed; the model may try again", async () => {
  const model = scriptedModel([{ ...addCall(), finish: "length" }, "Done."]);
  const result = await new Agent({ ...base, model, tools: [add] }).run("go");
  expect(result.text).toBe("Done.");
  expect(result.toolCalls).toMatchObject([{ isError: true, error: { kind: "aborted" } }]);
});

test("a provider that throws immediately fails the run, streamed or not", async () => {
  const thrower: ModelProvider = {
    ...scriptedModel(["never"]),
    generate: () => {
      throw new ModelApiError("MODEL_API_ERROR", "at once", { provider: "x", retryable: false });
    },
    stream: () => {
      throw new ModelApiError("MODEL_API_ERROR", "at once", { provider: "x", retryable: false });
    },
  };
  const agent = new Agent({ ...base, model: thrower });
  expect(await failureOf(agent.run("go"))).toMatchObject({ code: "MODEL_API_ERROR" });
  expect((await collect(agent.stream("go"))).error).toMatchObject({ code: "MODEL_API_ERROR" });
});

test("a provider that streams an invalid chunk, or answers with nothing, fails the run with a coded error that names it", async () => {
  const broken = (chunk: unknown): ModelProvider => ({
    ...scriptedModel([]),
    generate: async () => undefined as never,
    async *stream() {
      yield chunk as never;
    },
  });
  for (const chunk of [undefined, null, "text", {}, { type: "banana" }, { type: "toString" }, { type: "text" }])
    await expect(new Agent({ ...base, model: broken(chunk) }).stream("go").result).rejects.toMatchObject({
      code: "MODEL_RESPONSE_INVALID",
      message: expect.stringMatching(/^scripted\/scripted-1 streamed a chunk/u),
    });
  for (const type of ["thinking", "tool_call_start", "tool_call_delta", "tool_call_end", "source", "file", "finish"])
    await expect(new Agent({ ...base, model: broken({ type }) }).stream("go").result).rejects.toMatchObject({
      code: "MODEL_RESPONSE_INVALID",
      message: expect.stringContaining(`chunk of type "${type}"`),
    });
  await expect(new Agent({ ...base, model: broken("") }).run("go")).rejects.toMatchObject({
    code: "MODEL_RESPONSE_INVALID",
  });
});

test("a custom provider's failed connections, rate limits and overloads are retried, other errors are not [messages.retry-config.own-provider]", async () => {
  const attempts = async (thrown: unknown): Promise<number> => {
    let asked = 0;
    const model: ModelProvider = {
      ...scriptedModel([]),
      generate: () => {
        asked += 1;
        throw thrown;
      },
    };
    await failureOf(new Agent({ ...base, model, clock: jumpingClock(), retry: { maxRetries: 2 } }).run("go"));
    return asked;
  };
  const coded = (code: string) => Object.assign(new Error("failed"), { code });
  const passing: unknown[] = [
    ...["ECONNRESET", "ETIMEDOUT", "ENOTFOUND"].map(coded),
    new TypeError("fetch failed", { cause: coded("ECONNRESET") }),
    new Error("getaddrinfo ENOTFOUND api.example.com"),
    new Error("Rate limit reached"),
    new Error("The model is overloaded."),
    ...[429, 500, 503, 529].map((status) => Object.assign(new Error("no"), { status })),
  ];
  for (const error of passing) expect(await attempts(error)).toBe(3);
  const lasting = [
    new Error("no such model"),
    coded("EACCES"),
    Object.assign(new Error("no"), { status: 400 }),
    "text",
  ];
  for (const error of lasting) expect(await attempts(error)).toBe(1);
});
