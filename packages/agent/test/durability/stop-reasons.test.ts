import { GuardrailTrippedError, memoryStore, tool, toolReturn, type RunError, type RunOutput } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { add, addCall, collect, counter, failureOf, plain, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

// The flow policy holds back the last word of an answer; this test is only about the runner.
const base = { name: "agent", logger: quiet, flow: "off" } as const;

test("a run asks the model, runs its calls, appends the results, and asks again [run.loop.turn]", async () => {
  const model = scriptedModel([addCall(), "It is 3."]);
  const result = await new Agent({ ...base, model, tools: [add] }).run("1 + 2?");
  expect(result.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: "3" });
});

test("an answer without calls completes the run [run.stop.completed]", async () => {
  const result = await new Agent({ ...base, model: scriptedModel(["Hello."]) }).run("Hi");
  expect(result).toMatchObject({ text: "Hello.", status: "completed", stopReason: "completed" });
});

test("a tool may end the run, after its batch's other results are recorded [run.stop.stopped-by-tool]", async () => {
  const last = tool({
    name: "hand_in",
    description: "Hands in.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    execute: () => toolReturn({ output: "handed in", endRun: true }),
  });
  const model = scriptedModel([{ toolCalls: [{ name: "hand_in" }, { name: "add", arguments: { a: 1, b: 1 } }] }]);
  const result = await new Agent({ ...base, model, tools: [last, add] }).run("go");
  expect(result).toMatchObject({ status: "completed", stopReason: "stopped_by_tool", text: "handed in" });
  expect(result.toolCalls.map((call) => call.toolName)).toEqual(["hand_in", "add"]);
});

test("a true stop condition stops the run [run.stop.stop-condition]", async () => {
  const model = scriptedModel(() => addCall());
  const result = await new Agent({ ...base, model, tools: [add], stopWhen: ({ steps }) => steps === 2 }).run("go");
  expect(result).toMatchObject({ status: "stopped", stopReason: "stop_condition" });
  expect(model.requests).toHaveLength(2);
});

test("onRoundtripComplete stops the run [run.stop.stopped-by-hook]", async () => {
  const model = scriptedModel(() => addCall());
  const result = await new Agent({
    ...base,
    model,
    tools: [add],
    loopHooks: { onRoundtripComplete: () => ({ stop: true }) },
  }).run("go");
  expect(result).toMatchObject({ status: "stopped", stopReason: "stopped_by_hook" });
  expect(model.requests).toHaveLength(1);
});

test("a run that the model refuses ends as stopped, not completed [run.stop.refused]", async () => {
  const result = await new Agent({ ...base, model: scriptedModel([{ refusal: "I will not." }]) }).run("go");
  expect(result).toMatchObject({ status: "stopped", stopReason: "refused", text: "I will not." });
});

test("a run that reaches the turn limit ends as stopped, not completed [run.stop.max-turns] [run.stop.max-turns.not-completed]", async () => {
  const model = scriptedModel((request) => addCall(request.turn, 1));
  const result = await new Agent({ ...base, model, tools: [add], maxTurns: 3 }).run("go");
  expect(result).toMatchObject({ status: "stopped", stopReason: "max_turns" });
  expect(model.requests).toHaveLength(3);
});

test("20 turns are the default limit [options.max-turns]", async () => {
  const model = scriptedModel((request) => addCall(request.turn, 1));
  const result = await new Agent({ ...base, model, tools: [add] }).run("go");
  expect(result.stopReason).toBe("max_turns");
  expect(model.requests).toHaveLength(20);
});

test("a call that exceeds the budget is not made [run.stop.budget-exhausted] [run.budget.reserve-settle]", async () => {
  const model = scriptedModel((request) => ({
    ...addCall(request.turn, 1),
    usage: { inputTokens: 400, outputTokens: 100 },
  }));
  const result = await new Agent({ ...base, model, tools: [add], budget: { tokens: 1_000 } }).run("go");
  expect(result).toMatchObject({ status: "stopped", stopReason: "budget_exhausted" });
  expect(model.requests).toHaveLength(2);
  expect(result.usage.totalTokens).toBe(1_000);
  // The remaining budget also limits the answer.
  expect(model.requests[1]?.maxTokens).toBeLessThan(model.requests[0]?.maxTokens ?? 0);
});

test("the same call with the same result three times counts as a loop [run.stop.loop-detected] [seams.options.loop-detection]", async () => {
  const model = scriptedModel(() => addCall());
  const result = await new Agent({ ...base, model, tools: [add] }).run("go");
  expect(result).toMatchObject({ status: "stopped", stopReason: "loop_detected" });
  expect(model.requests).toHaveLength(3);
  const other = scriptedModel((request) => (request.turn < 6 ? addCall(request.turn, 2) : "done"));
  expect((await new Agent({ ...base, model: other, tools: [add] }).run("go")).stopReason).toBe("completed");
  const off = scriptedModel((request) => (request.turn < 6 ? addCall() : "done"));
  expect((await new Agent({ ...base, model: off, tools: [add], loopDetection: false }).run("go")).stopReason).toBe(
    "completed",
  );
});

test("the same call with different results, or different failures, does not count as a loop [run.stop.loop-detected]", async () => {
  const poll = (execute: (n: number) => unknown) => {
    let n = 0;
    return tool({ ...plain, name: "poll", inputSchema: z.object({}), execute: () => execute((n += 1)) });
  };
  const call = { toolCalls: [{ name: "poll", arguments: {} }] };
  const fail = (message: string): never => {
    throw new Error(message);
  };
  for (const [execute, stopReason] of [
    [(n: number) => ({ done: n }), "completed"],
    [() => ({ done: 0 }), "loop_detected"],
    [(n: number) => fail(`busy ${n}`), "completed"],
    [() => fail("busy"), "loop_detected"],
  ] as const) {
    const model = scriptedModel((request) => (request.turn < 5 ? call : "Done."));
    expect((await new Agent({ ...base, model, tools: [poll(execute)] }).run("go")).stopReason).toBe(stopReason);
  }
});

class Money {
  readonly cents = 5;
}

test.each<[string, () => unknown]>([
  ["an instance of a class without toJSON", () => new Money()],
  ["a date", () => new Date(0)],
  ["an invalid date", () => new Date(Number.NaN)],
  ["a map", () => new Map([[1, 2]])],
  ["bytes", () => new Uint8Array([1, 2])],
  ["not a number", () => Number.NaN],
  ["nothing", () => undefined],
  ["a symbol", () => Symbol("mark")],
  [
    "a circle",
    () => {
      const circle: Record<string, unknown> = {};
      circle["self"] = circle;
      return circle;
    },
  ],
  ["an error", () => new Error("no")],
  ["a pattern", () => /x/u],
  ["a function", () => () => 1],
  ["a big integer", () => 3n],
  ["a list 2,000 levels deep", () => Array.from({ length: 2_000 }).reduce((inner) => [inner], 1)],
])("calls whose result is %s count as a loop, and fail no run", async (_value, execute) => {
  const odd = tool({ ...plain, name: "odd", inputSchema: z.object({}), execute });
  const call = { toolCalls: [{ name: "odd", arguments: {} }] };
  const same = await new Agent({ ...base, model: scriptedModel(() => call), tools: [odd] }).run("go");
  expect(same).toMatchObject({ status: "stopped", stopReason: "loop_detected" });
});

test("a deciding hook that fails ends the run as denied if there is no call [run.stop.policy-denied]", async () => {
  const model = scriptedModel(["never"]);
  const result = await new Agent({
    ...base,
    model,
    loopHooks: {
      beforeLLMCall: () => {
        throw new Error("no");
      },
    },
  }).run("go");
  expect(result).toMatchObject({ status: "stopped", stopReason: "policy_denied" });
  expect(model.requests).toHaveLength(0);
});

test("a call that needs approval suspends the run with the interruption as data [run.stop.awaiting-approval] [people.suspended-run]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  const agent = new Agent({
    ...base,
    model: scriptedModel([writeCall(), "Done."]),
    tools: [write],
    store: memoryStore(),
  });
  const first = await agent.run("go");
  expect(first).toMatchObject({ status: "suspended", stopReason: "awaiting_approval" });
  expect(JSON.parse(JSON.stringify(first.interruptions))).toMatchObject([
    { kind: "approval", toolName: "write", args: { line: "a" } },
  ]);
  expect(ran).toEqual([]);
  const second = await agent.resume(
    first.runId,
    first.interruptions.map((one) => one.approve()),
  );
  expect(second).toMatchObject({ status: "completed", text: "Done." });
  expect(ran).toEqual(["a"]);
});

test("ctx.ask suspends as awaiting_answer, and the answer goes to the tool [run.stop.awaiting-input]", async () => {
  const ask = tool({
    name: "ask_size",
    description: "Asks for a size.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async (_input, ctx) =>
      `size ${await ctx.ask({ question: "Which size?", schema: z.object({ size: z.number() }) }).then(({ size }) => size)}`,
  });
  const agent = new Agent({
    ...base,
    model: scriptedModel([{ toolCalls: [{ name: "ask_size" }] }, "Done."]),
    tools: [ask],
    store: memoryStore(),
  });
  const first = await agent.run("go");
  expect(first).toMatchObject({ status: "suspended", stopReason: "awaiting_answer" });
  const second = await agent.resume(
    first.runId,
    first.interruptions.map((one) => one.answer({ size: 42 })),
  );
  expect(second.status).toBe("completed");
  expect(second.toolCalls[0]?.output).toBe("size 42");
});

test("a guardrail's block rejects with every verdict and the run's id [run.stop.guardrail-blocked]", async () => {
  const model = scriptedModel(["never"]);
  const guardrails = {
    input: [
      { name: "one", validate: () => ({ pass: true }) as const },
      { name: "two", validate: () => ({ pass: true }) as const },
      { name: "three", validate: () => ({ pass: false, reason: "no" }) as const },
    ],
  };
  const store = memoryStore();
  const agent = new Agent({ ...base, model, guardrails, store });
  const error = await failureOf(agent.run("go"));
  expect(error).toBeInstanceOf(GuardrailTrippedError);
  const tripped = error as GuardrailTrippedError;
  expect(tripped.verdicts.map(({ name, verdict }) => [name, verdict.pass])).toEqual([
    ["one", true],
    ["two", true],
    ["three", false],
  ]);
  expect(tripped.runId).toBe(tripped.output?.runId);
  const ended = { status: "stopped", stopReason: "guardrail_blocked" };
  expect(tripped.output).toMatchObject(ended);
  expect((await store.getRun(tripped.runId ?? ""))?.state).toBe("stopped");
  const { events, output } = await agent.inspect(tripped.runId ?? "");
  expect(events.at(-1)).toMatchObject({ type: "run.end", ...ended, error: { code: "GUARDRAIL_TRIPPED" } });
  expect(output).toMatchObject(ended);
  expect(model.requests).toHaveLength(0);
});

test("every verdict is in the error, with and without streaming [field-bug:PB-guardrails-04]", async () => {
  const pass = (name: string) => ({ name, validate: () => ({ pass: true }) as const });
  const input = [pass("one"), { name: "two", validate: () => ({ pass: false, reason: "no" }) as const }, pass("three")];
  const agent = new Agent({ ...base, model: scriptedModel(["never", "never"]), guardrails: { input } });
  const fromRun = (await failureOf(agent.run("go"))) as GuardrailTrippedError;
  const fromStream = (await collect(agent.stream("go"))).error as GuardrailTrippedError;
  expect(fromRun.verdicts).toHaveLength(3);
  expect(fromStream.verdicts).toEqual(fromRun.verdicts);
});

test("an aborted run resolves with its partial output, and its iterator ends after run.end [run.stop.aborted] [run.error.run-id]", async () => {
  const agent = new Agent({
    ...base,
    model: scriptedModel([{ text: "one two three four", faults: { hangAfterEvents: 2 } }]),
  });
  const handle = agent.stream("go");
  const types: string[] = [];
  for await (const event of handle) {
    types.push(event.type);
    if (event.type === "text" && types.filter((type) => type === "text").length === 2) handle.abort();
  }
  const result = await handle.result;
  expect(result).toMatchObject({ status: "cancelled", stopReason: "cancelled", text: "one two" });
  expect(result.messages.at(-1)).toMatchObject({ role: "assistant", partial: true });
  expect(result.usage.totalTokens).toBeGreaterThan(0);
  expect(types.at(-1)).toBe("run.end");
});

test("a failure rejects with the typed error, which carries the run and its partial output [run.stop.failed] [run.error.partial-output] [run.error.run-id]", async () => {
  const model = scriptedModel([addCall(), { faults: { error: { status: 401, message: "bad key" } } }]);
  const error = (await failureOf(new Agent({ ...base, model, tools: [add] }).run("go"))) as RunError & {
    output: RunOutput;
  };
  expect(error).toMatchObject({ code: "MODEL_AUTHENTICATION_FAILED", provider: "scripted", status: 401 });
  expect(error.output).toMatchObject({ status: "failed", stopReason: "failed", runId: error.runId });
  expect(error.output.toolCalls).toHaveLength(1);
});

test("the iterator throws the run's error once, and nothing is left unhandled [run.error.iterator-throws-once]", async () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", listen);
  const agent = new Agent({ ...base, model: scriptedModel(() => ({ faults: { error: { status: 400 } } })) });
  const handle = agent.stream("go");
  const iterator = handle[Symbol.asyncIterator]();
  const seen: string[] = [];
  let thrown: unknown;
  for (;;) {
    try {
      const next = await iterator.next();
      if (next.done === true) break;
      seen.push(next.value.type);
    } catch (error) {
      thrown = error;
      break;
    }
  }
  expect(seen.at(-1)).toBe("run.end");
  expect(thrown).toMatchObject({ code: "MODEL_API_ERROR" });
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  agent.stream("never watched");
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off("unhandledRejection", listen);
  expect(unhandled).toEqual([]);
});

test("one agent drives many runs at once [run.concurrent-instance]", async () => {
  const model = scriptedModel((request) =>
    request.toolResults.length === 0 ? addCall(Number(request.lastUserText), 1) : `got ${request.toolResults[0]?.text}`,
  );
  const agent = new Agent({ ...base, model, tools: [add] });
  const results = await Promise.all(Array.from({ length: 50 }, (_, index) => agent.run(String(index))));
  expect(results.map(({ text }) => text)).toEqual(Array.from({ length: 50 }, (_, index) => `got ${index + 1}`));
  expect(new Set(results.map(({ runId }) => runId)).size).toBe(50);
});

test("tools get the abort reason of the caller's signal [run.abort-reason]", async () => {
  const controller = new AbortController();
  const why = new Error("The user closed the page.");
  const seen: unknown[] = [];
  const wait = tool({
    name: "wait",
    description: "Waits.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    execute: (_input, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          seen.push(signal.reason);
          resolve("left");
        });
        controller.abort(why);
      }),
  });
  const model = scriptedModel([{ toolCalls: [{ name: "wait" }] }, "Done."]);
  const output = await new Agent({ name: "agent", model, tools: [wait] }).run("go", { signal: controller.signal });
  expect([output.status, seen]).toEqual(["cancelled", [why]]);
});

test("a run whose final answer was truncated ends as stopped, not completed [run.stop.truncated]", async () => {
  const model = scriptedModel([{ text: "Once upon", finish: "length" }]);
  const result = await new Agent({ ...base, model }).run("Tell me a story.");
  expect(result).toMatchObject({ status: "stopped", stopReason: "truncated", text: "Once upon" });
  expect(result.warnings).toMatchObject([{ code: "answer_truncated" }]);
});

test("the correction of a truncated structured answer names the truncation [run.stop.truncated.schema]", async () => {
  const output = z.object({ items: z.array(z.string()) });
  const half = { text: '{"items":["one","tw', finish: "length" } as const;
  const model = scriptedModel([half, '{"items":["one"]}']);
  const result = await new Agent({ ...base, model, output }).run("List.");
  expect(result).toMatchObject({ status: "completed", structured: { items: ["one"] } });
  const asked = JSON.stringify(model.requests[1]?.messages.at(-1));
  expect(asked).toContain("truncated at the output limit");
  expect(asked).not.toContain("not valid JSON");
  const twice = await new Agent({ ...base, model: scriptedModel([half, half]), output }).run("List.");
  expect(twice).toMatchObject({ status: "stopped", stopReason: "truncated", text: half.text });
  expect(twice.structured).toBeUndefined();
  const whole = scriptedModel([{ text: '{"items":[]}', finish: "length" }]);
  expect(await new Agent({ ...base, model: whole, output }).run("List.")).toMatchObject({
    stopReason: "completed",
    structured: { items: [] },
  });
});

/** A clock that moves only when its limit passes; timers that are set afterwards fire at once. */
function limitClock() {
  let time = 0;
  const timers = new Set<() => void>();
  return {
    now: () => time,
    setTimer(callback: () => void) {
      timers.add(callback);
      if (time > 0) setTimeout(() => timers.delete(callback) && callback(), 1);
      return () => void timers.delete(callback);
    },
    passLimit() {
      time = 10_000;
      for (const callback of timers) if (timers.delete(callback)) callback();
    },
  };
}

test("timeouts.totalMs ends a run as timed_out, even if a tool hangs [run.stop.timed-out]", async () => {
  const reasons: unknown[] = [];
  const hang = tool({
    name: "hang",
    description: "Never returns.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    execute: (_input, { signal }) => {
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      queueMicrotask(clock.passLimit);
      return new Promise<string>(() => undefined);
    },
  });
  const model = scriptedModel([{ toolCalls: [{ name: "hang" }] }, "never"]);
  const clock = limitClock();
  const agent = new Agent({ ...base, model, tools: [hang], clock, timeouts: { totalMs: 20 } });
  const handle = agent.stream("go");
  const { events, error } = await collect(handle);
  expect(error).toBeUndefined();
  const result = await handle.result;
  expect(result).toMatchObject({ status: "stopped", stopReason: "timed_out" });
  expect(result.toolCalls).toMatchObject([{ isError: true, error: { kind: "aborted" } }]);
  expect(reasons).toMatchObject([{ name: "TimeoutError", message: expect.stringContaining("timeouts.totalMs") }]);
  expect(events.at(-1)).toMatchObject({ type: "run.end", status: "stopped", stopReason: "timed_out" });
  expect(model.requests).toHaveLength(1);
});
