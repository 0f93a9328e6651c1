import { handoff, memoryStore, tool, toolReturn, type RunHandle, type RunOptions } from "@bailiwick/core";
import { ContextOverflowError, ModelApiError } from "@bailiwick/core/provider";
import { scriptedModel, type ScriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { addCall, add, counter, failureOf, movedClock, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { logger: quiet, flow: "off" } as const;
const prices = { "scripted/scripted-1": { input: 1, output: 1 } };
const ask = (name: string) => ({ toolCalls: [{ name, arguments: { input: "go" } }] });

function teamOf(store = memoryStore()): { readonly desk: Agent; readonly ran: string[] } {
  const { write, ran } = counter({ needsApproval: true });
  const clerk = new Agent({
    ...base,
    name: "clerk",
    prices,
    tools: [write],
    model: scriptedModel((request) => (request.toolResults.length === 0 ? writeCall() : "Written.")),
  });
  const expert = new Agent({
    ...base,
    name: "expert",
    prices,
    tools: [clerk.asTool()],
    model: scriptedModel((request) => (request.toolResults.length === 0 ? ask("clerk") : "It is done.")),
  });
  const desk = new Agent({
    ...base,
    name: "desk",
    prices,
    store,
    tools: [expert.asTool()],
    model: scriptedModel((request) => (request.toolResults.length === 0 ? ask("expert") : "Done.")),
  });
  return { desk, ran };
}

test("the usage of a run is listed per agent, and includes suspended inner runs [run.usage-by-agent]", async () => {
  const { desk } = teamOf();
  const waiting = await desk.run("go");
  expect(waiting.usageByAgent.map(({ agentName }) => agentName)).toEqual(["desk", "expert", "clerk"]);
  const sum = (output: typeof waiting): number =>
    output.usageByAgent.reduce((total, { usage }) => total + usage.totalTokens, 0);
  expect([waiting.status, sum(waiting)]).toEqual(["suspended", waiting.usage.totalTokens]);
  expect(waiting.costUsd).toBeCloseTo(waiting.usage.totalTokens / 1e6, 9);

  const done = await desk.resume(
    waiting.runId,
    waiting.interruptions.map((one) => one.approve()),
  );
  expect([done.status, sum(done)]).toEqual(["completed", done.usage.totalTokens]);
  // Each of the three called its model twice, and usage from before the question is counted once.
  for (const [index, { usage, costUsd }] of done.usageByAgent.entries()) {
    expect(usage.totalTokens).toBeGreaterThan(waiting.usageByAgent[index]?.usage.totalTokens ?? 0);
    expect(costUsd).toBeCloseTo(usage.totalTokens / 1e6, 9);
  }
  expect(done.usageByAgent.map(({ agentName }) => agentName)).toEqual(["desk", "expert", "clerk"]);
  const own = done.metrics.perRequest.reduce((total, usage) => total + usage.totalTokens, 0);
  expect(done.usageByAgent[0]?.usage.totalTokens).toBe(own);
});

test("usage has one entry for an agent that runs several times inside a run, and two after a handoff [run.usage-by-agent]", async () => {
  const refunds = new Agent({ ...base, name: "refunds", model: scriptedModel(["Yes."]) });
  const helper = new Agent({ ...base, name: "helper", model: scriptedModel(() => "Helped.") });
  const desk = new Agent({
    ...base,
    name: "desk",
    tools: [helper.asTool()],
    handoffs: [handoff(refunds)],
    model: scriptedModel([ask("helper"), ask("helper"), { toolCalls: [{ name: "transfer_to_refunds" }] }]),
  });
  const { usage, usageByAgent, costUsd } = await desk.run("go");
  expect(usageByAgent.map(({ agentName }) => agentName)).toEqual(["desk", "helper", "refunds"]);
  expect(usageByAgent.reduce((sum, one) => sum + one.usage.totalTokens, 0)).toBe(usage.totalTokens);
  expect([costUsd, ...usageByAgent.map((one) => one.costUsd)]).toEqual(Array(4).fill(undefined));
});

test("the causes of an error and the members of an AggregateError are journaled and shown to the model [run.error.causes]", async () => {
  const refused = new Error("connect ECONNREFUSED 127.0.0.1:9");
  const both = new AggregateError([refused, new Error("connect ECONNREFUSED ::1:9")], "");
  const failing = tool({
    name: "load",
    description: "Loads a page.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => {
      throw new TypeError("fetch failed", { cause: both });
    },
  });
  const model = scriptedModel((request) => {
    if (request.toolResults.length === 0) return { toolCalls: [{ name: "load" }] };
    throw new Error("no model", { cause: both });
  });
  const agent = new Agent({ ...base, name: "a", model, tools: [failing], retry: { maxRetries: 0 } });
  const error = await failureOf(agent.run("go"));
  const members = "AggregateError (connect ECONNREFUSED 127.0.0.1:9; connect ECONNREFUSED ::1:9)";
  expect(JSON.stringify(model.requests[1]?.messages)).toContain(`fetch failed (cause: ${members})`);
  const { events } = await agent.inspect((error as Error & { runId: string }).runId);
  expect(events.findLast(({ type }) => type === "run.end")).toMatchObject({
    error: { message: "no model", cause: { name: "AggregateError", errors: [{ message: refused.message }, {}] } },
  });
});

test("texts and other values as causes and members of an error are shown, and an error that cannot be read does not end the run [run.error.causes]", async () => {
  const unreadable = new Error("x");
  Object.defineProperty(unreadable, "message", {
    get: () => {
      throw new Error("no message");
    },
  });
  const told = async (error: unknown): Promise<string | undefined> => {
    const failing = tool({
      name: "fail",
      description: "Fails.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      execute: () => {
        throw error;
      },
    });
    const model = scriptedModel([{ toolCalls: [{ name: "fail" }] }, "Done."]);
    const { status, toolCalls } = await new Agent({ ...base, name: "a", model, tools: [failing] }).run("go");
    expect(status).toBe("completed");
    return toolCalls[0]?.error?.message;
  };
  const member = new Error("first", { cause: "socket hang up" });
  const members = [member, "second", { message: "third" }, 4, { code: 5 }];
  const cases: readonly (readonly [error: unknown, text: string])[] = [
    [new AggregateError(members, "both failed"), "both failed (first (cause: socket hang up); second; third; 4)"],
    [new Error("outer", { cause: "disk full" }), "outer (cause: disk full)"],
    [new Error("outer", { cause: 507 }), "outer (cause: 507)"],
    [new Error("outer", { cause: null }), "outer"],
    ["only words", "only words"],
    [unreadable, "cannot be read"],
  ];
  for (const [error, text] of cases) expect(await told(error)).toContain(text);
});

test("an error that is its own cause does not loop, and a cause repeated by its wrapper is shown once [run.error.causes]", async () => {
  const failing = (error: Error) =>
    tool({
      name: "fail",
      description: "Fails.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      execute: () => {
        throw error;
      },
    });
  const own = new Error("round");
  own.cause = own;
  const wrapped = new Error("it failed: no disk", { cause: new Error("no disk") });
  for (const [error, text] of [
    [own, '"fail" failed: round'],
    [wrapped, '"fail" failed: it failed: no disk'],
  ] as const) {
    const model = scriptedModel([{ toolCalls: [{ name: "fail" }] }, "Done."]);
    const { toolCalls } = await new Agent({ ...base, name: "a", model, tools: [failing(error)] }).run("go");
    expect(toolCalls[0]).toMatchObject({ isError: true, error: { message: text } });
  }
});

test("timeouts.toolGraceMs gives a tool time to end after its limit; a result within it counts [options.timeouts.tool-grace-ms]", async () => {
  for (const [toolGraceMs, waits, output] of [
    [undefined, 2_000, "late"],
    [50, 50, "late"],
    [0, 0, undefined],
  ] as const) {
    const clock = movedClock();
    const slow = tool({
      name: "slow",
      description: "Ends when it is stopped.",
      inputSchema: z.object({}),
      sideEffectClass: "pure",
      timeoutMs: 100,
      execute: (_input, { signal }) => {
        queueMicrotask(() => clock.move(100));
        return new Promise<string>((resolve) => {
          signal.addEventListener("abort", () => {
            if (toolGraceMs === 0) queueMicrotask(() => clock.move(0));
            else resolve("late");
          });
        });
      },
    });
    const model = scriptedModel([{ toolCalls: [{ name: "slow" }] }, "Done."]);
    const options: RunOptions = { timeouts: { toolGraceMs } };
    const { toolCalls } = await new Agent({ ...base, name: "a", model, tools: [slow], clock }).run("go", options);
    expect(clock.waits).toContain(waits);
    expect(toolCalls[0]).toMatchObject(output === undefined ? { isError: true } : { output });
  }
  const wrong = new Agent({ ...base, name: "a", model: scriptedModel([]) });
  await expect(wrong.run("go", { timeouts: { toolGraceMs: -1 } })).rejects.toThrow(/timeouts\.toolGraceMs/u);
});

test("a tool that blocks the process past its limit keeps its result, with a warning that names it [tool.field.timeout-ms.overrun]", async () => {
  const clock = movedClock();
  const busy = (name: string, result: () => unknown) =>
    tool({
      name,
      description: "Blocks.",
      inputSchema: z.object({}),
      sideEffectClass: "pure",
      timeoutMs: 100,
      execute: () => {
        clock.move(250);
        return result();
      },
    });
  const model = scriptedModel([{ toolCalls: [{ name: "sync" }, { name: "later" }] }, "Done."]);
  const tools = [busy("sync", () => "now"), busy("later", async () => "then")];
  const result = await new Agent({ ...base, name: "a", model, tools, clock, toolConcurrency: 1 }).run("go");
  expect(result.toolCalls.map((call) => call.output)).toEqual(["now", "then"]);
  const overruns = result.warnings.filter(({ code }) => code === "tool_overrun");
  expect(overruns.map(({ message }) => message)).toEqual([
    expect.stringContaining('"sync" blocked its process for 250 ms'),
    expect.stringContaining('"later" blocked its process for 250 ms'),
  ]);
});

test("an empty summary is dropped, with a warning that messages were left out [context.summaries.empty]", async () => {
  const summarizer = scriptedModel(() => " \n");
  const model = scriptedModel((request) =>
    request.turn < 8 ? { ...addCall(request.turn, 1), text: "z".repeat(400) } : "Done.",
  );
  const contextCompactor = { maxContextTokens: 900, strategy: "summarize", summarizeModel: summarizer } as const;
  const result = await new Agent({ ...base, name: "a", model, tools: [add], contextCompactor }).run("The task.");
  expect(summarizer.requests.length).toBeGreaterThan(0);
  expect(result.warnings).toContainEqual(
    expect.objectContaining({ code: "context_trimmed", message: expect.stringContaining("wrote no summary") }),
  );
  expect(JSON.stringify(model.requests)).not.toContain("[Summary of the conversation");
});

test("cutting a conversation because the vendor refused its length is reported [context.overflow-retry.warns]", async () => {
  const model = scriptedModel(["Hello."]);
  let refused = 0;
  const narrow = {
    ...model,
    generate: async (request: Parameters<typeof model.generate>[0]) => {
      refused += 1;
      if (refused === 1) throw new ContextOverflowError("too long", { provider: "narrow" });
      return model.generate(request);
    },
  };
  const messages = Array.from({ length: 20 }, (_, index) => ({
    role: "user" as const,
    content: `${index}`.repeat(99),
  }));
  const result = await new Agent({ ...base, name: "a", model: narrow }).run("go", { messages });
  expect(result.warnings).toContainEqual(
    expect.objectContaining({ code: "context_trimmed", message: expect.stringContaining("refused the conversation") }),
  );
});

test("a session continues after a vendor refused its media, and other failures keep the media [memory.failed-run.media]", async () => {
  const image = { type: "image", mimeType: "image/png", data: new Uint8Array([1, 2, 3]) } as const;
  for (const [status, retryable, kept] of [
    [400, false, false],
    [503, true, true],
  ] as const) {
    const store = memoryStore();
    const model: ScriptedModel = scriptedModel((request) => {
      const hasImage =
        JSON.stringify(model.requests.at(-1)?.messages).includes("image/png") &&
        !request.messages.some(({ text }) => text.includes("omitted"));
      if (hasImage)
        throw new ModelApiError("MODEL_API_ERROR", `${status} no`, { provider: "scripted", status, retryable });
      return "Hello.";
    });
    const agent = new Agent({ ...base, name: "a", model, store, session: store.sessions, retry: { maxRetries: 0 } });
    const session = { sessionId: "s" };
    await failureOf(agent.run([{ type: "text", text: "See this:" }, image], session));
    const { messages } = await store.sessions.load("s");
    expect(JSON.stringify(messages)).toContain("See this:");
    expect(JSON.stringify(messages).includes("omitted: the model refused the request of this turn")).toBe(!kept);
    if (!kept) expect((await agent.run("And without it?", session)).text).toBe("Hello.");
  }
});

test("a session continues after a vendor refused the image of a tool's result [memory.failed-run.media]", async () => {
  const store = memoryStore();
  const photo = tool({
    name: "photo",
    description: "Takes a photo.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () =>
      toolReturn({ output: "taken", contentParts: [{ type: "image", mimeType: "image/png", data: "AQID" }] }),
  });
  const model: ScriptedModel = scriptedModel(() => {
    const sent = JSON.stringify(model.requests.at(-1)?.messages);
    if (!sent.includes('"role":"tool"')) return { toolCalls: [{ name: "photo" }] };
    if (!sent.includes('"type":"image"')) return "Hello.";
    throw new ModelApiError("MODEL_API_ERROR", "400 no", { provider: "scripted", status: 400, retryable: false });
  });
  const agent = new Agent({ ...base, name: "a", model, tools: [photo], store, session: store.sessions });
  expect(await failureOf(agent.run("Take one.", { sessionId: "s" }))).toMatchObject({ code: "MODEL_API_ERROR" });
  expect((await agent.run("And now?", { sessionId: "s" })).text).toBe("Hello.");
});

/** Reads a stream up to the question of an inner agent, and stops. */
async function leaveAtQuestion(handle: RunHandle): Promise<void> {
  for await (const event of handle) {
    let inner = event;
    while (inner.type === "agent.event") inner = inner.event;
    if (inner.type === "tool.approval.requested") break;
  }
}

test("leaving a stream while an agent two levels deep waits for a person suspends the run [events.channel.iterator.drop-suspends]", async () => {
  for (const onApproval of [undefined, () => new Promise<never>(() => undefined)]) {
    const { desk, ran } = teamOf();
    const handle = desk.stream("go", onApproval === undefined ? {} : { approval: { onApproval } });
    await leaveAtQuestion(handle);
    const left = await handle.result;
    expect([left.status, left.stopReason, left.interruptions.length]).toEqual(["suspended", "awaiting_approval", 1]);
    const done = await desk.resume(
      left.runId,
      left.interruptions.map((one) => one.approve()),
    );
    expect([done.status, done.text, ran]).toEqual(["completed", "Done.", ["a"]]);
  }
});

test("the signal of a tool carries the reason why the run was stopped: a cancel, a budget, a slow turn [run.abort-reason]", async () => {
  for (const [how, options, stopReason, message] of [
    ["cancel", {}, "cancelled", "The run was cancelled: the order was withdrawn."],
    ["abort", {}, "cancelled", "The run was cancelled: the order was withdrawn."],
    ["limit", { budget: { durationMs: 100 } }, "budget_exhausted", "budget.durationMs"],
    ["limit", { timeouts: { turnMs: 100 } }, "timed_out", "timeouts.turnMs"],
  ] as const) {
    const clock = movedClock();
    let reason: unknown;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const hanging = tool({
      name: "hang",
      description: "Hangs.",
      inputSchema: z.object({}),
      sideEffectClass: "pure",
      execute: (_input, { signal }) => {
        begin();
        return new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            reason = signal.reason;
            resolve("stopped");
          });
        });
      },
    });
    const agent = new Agent({ ...base, name: "a", model: scriptedModel([ask("hang")]), tools: [hanging], clock });
    const handle = agent.stream("go", options);
    handle.result.catch(() => undefined);
    await begun;
    if (how === "cancel") await agent.cancel(handle.runId, "the order was withdrawn");
    else if (how === "abort") handle.abort("the order was withdrawn");
    else clock.move(100);
    expect([how, (await handle.result).stopReason]).toEqual([how, stopReason]);
    expect(String(reason)).toContain(message);
  }
});
