import {
  interruption,
  memoryStore,
  tool,
  type Interruption,
  type InterruptionData,
  type RunEvent,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { add, collect, counter, failureOf, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off" } as const;
const callsOnce = (step: ReturnType<typeof writeCall> = writeCall()) =>
  scriptedModel((request) => (request.toolResults.length === 0 ? step : "Done."));
const approveAll = (asked: readonly Interruption[]) => asked.map((one) => one.approve());

test("a resumed call gets the dependencies given to resume(), once [field-bug:PB-approvals-02]", async () => {
  const seen: unknown[] = [];
  const write = tool({
    name: "write",
    description: "Writes.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: true,
    execute: ({ line }, ctx) => (seen.push([line, ctx.dependencies]), "ok"),
  });
  class Shop {
    readonly name = "north";
  }
  for (const dependencies of [{}, new Shop()]) {
    seen.length = 0;
    const store = memoryStore();
    const first = await new Agent({ ...base, model: callsOnce(), tools: [write], store }).run("go", {
      dependencies: { shop: "old" },
    });
    const asked = (JSON.parse(JSON.stringify(first.interruptions)) as InterruptionData[]).map((data) =>
      interruption(data),
    );
    const done = await new Agent({ ...base, model: callsOnce(), tools: [write], store }).resume(
      first.runId,
      approveAll(asked),
      { dependencies },
    );
    expect(done).toMatchObject({ status: "completed", interruptions: [] });
    expect(seen).toEqual([["a", dependencies]]);
    // An instance of a class is live, and passed on as it is; plain data is copied.
    if (dependencies instanceof Shop) expect((seen[0] as unknown[])[1]).toBe(dependencies);
  }
});

test("a resumed stream shows the result and the answer and reports its end once; a suspended stream ends as suspended [field-bug:PB-approvals-07] [field-bug:PB-approvals-19]", async () => {
  for (const approved of [true, false]) {
    const { write } = counter({ needsApproval: true });
    const agent = new Agent({ ...base, model: callsOnce(), tools: [write] });
    const first = await collect(agent.stream("go"));
    expect(first.events.at(-1)).toMatchObject({
      type: "run.end",
      status: "suspended",
      stopReason: "awaiting_approval",
    });
    const runId = (first.events[0] as RunEvent & { runId: string }).runId;
    const [asked] = await agent.interruptions(runId);
    const ended: unknown[] = [];
    const resumed = await collect(
      agent.resumeStream(runId, [approved ? asked!.approve() : asked!.reject("no")], {
        onComplete: (_name, output) => void ended.push(output.messages.map(({ role }) => role)),
      }),
    );
    expect(resumed.error).toBeUndefined();
    expect(resumed.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["tool.result", "text", "finish", "run.end"]),
    );
    expect(resumed.events.at(-1)).toMatchObject({ type: "run.end", status: "completed", text: "Done." });
    expect(ended).toEqual([["user", "assistant", "tool", "assistant"]]);
  }
});

test.each(["the same process", "another process"])(
  "a decision from %s that arrives while another decision is being applied is not lost [field-bug:PB-approvals-10]",
  async (where) => {
    const store = memoryStore();
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const ran: string[] = [];
    const write = tool({
      name: "write",
      description: "Writes.",
      inputSchema: z.object({ line: z.string() }),
      sideEffectClass: "external-stateful",
      idempotencyKey: "call",
      needsApproval: true,
      execute: async ({ line }) => {
        begin();
        if (line === "a") await gate;
        ran.push(line);
        return line;
      },
    });
    const toolCalls = ["a", "b"].map((line) => ({ name: "write", arguments: { line } }));
    const model = scriptedModel([{ toolCalls }, "Done."]);
    const agent = new Agent({ ...base, model, tools: [write], store });
    const first = await agent.run("go");
    const [a, b] = first.interruptions;
    const running = agent.resume(first.runId, [a!.approve()]);
    await begun;
    const from = where === "the same process" ? agent : new Agent({ ...base, model, tools: [write], store });
    expect(await failureOf(from.resume(first.runId, [{ id: "forged", type: "approve" }]))).toMatchObject({
      code: "UNKNOWN_DECISION",
    });
    expect(await failureOf(from.resume(first.runId, [b!.approve()]))).toMatchObject({
      code: "RUN_BUSY",
      message: expect.stringContaining("1 decision") as string,
    });
    release();
    expect(await running).toMatchObject({
      status: "completed",
      text: "Done.",
      toolCalls: [{ output: "a" }, { output: "b" }],
    });
    expect(ran).toEqual(["a", "b"]);
  },
);

test("an approval does nothing in a later turn of the session [field-bug:PB-approvals-05]", async () => {
  const store = memoryStore();
  const { write, ran } = counter({ needsApproval: true });
  const model = scriptedModel([writeCall(), "Done.", "You are welcome.", writeCall()]);
  const agent = new Agent({ ...base, model, tools: [write], store, session: store.sessions });
  const first = await agent.run("go", { sessionId: "s" });
  await agent.resume(first.runId, approveAll(first.interruptions));
  expect((await agent.run("thanks", { sessionId: "s" })).text).toBe("You are welcome.");
  // The same call asks again.
  expect(await agent.run("again", { sessionId: "s" })).toMatchObject({ status: "suspended" });
  expect(ran).toEqual(["a"]);
});

test("a client tool waits for its result after the approval [field-bug:PB-approvals-09]", async () => {
  let asked = 0;
  const outside = tool({
    name: "outside",
    description: "Runs elsewhere.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: true,
    execute: (_input, ctx) => ((asked += 1), ctx.ask({ question: "result?", schema: z.object({ ok: z.boolean() }) })),
  });
  const agent = new Agent({ ...base, model: callsOnce({ toolCalls: [{ name: "outside" }] }), tools: [outside] });
  const first = await agent.run("go");
  const handed = await agent.resume(first.runId, approveAll(first.interruptions));
  expect(handed).toMatchObject({
    status: "suspended",
    stopReason: "awaiting_answer",
    interruptions: [{ kind: "question", toolName: "outside" }],
  });
  expect(asked).toBe(1);
  const done = await agent.resume(
    first.runId,
    handed.interruptions.map((one) => one.answer({ ok: true })),
  );
  expect(done).toMatchObject({ status: "completed", toolCalls: [{ output: { ok: true } }] });
  expect(done.toolCalls).toHaveLength(1);
});

test("a rejected call and an allowed call of one turn each have one result in the next request [field-bug:PB-approvals-12]", async () => {
  const { write } = counter({ needsApproval: true });
  const model = scriptedModel([
    {
      toolCalls: [
        { name: "write", arguments: { line: "x" } },
        { name: "add", arguments: { a: 1, b: 2 } },
      ],
    },
    "Done.",
  ]);
  const agent = new Agent({ ...base, model, tools: [write, add] });
  const first = await agent.run("go");
  await agent.resume(
    first.runId,
    first.interruptions.map((one) => one.reject("no")),
  );
  const results = model.requests[1]?.messages.filter(({ role }) => role === "tool") ?? [];
  expect(results).toMatchObject([
    { toolName: "write", isError: true, content: expect.stringContaining("no") as string },
    { toolName: "add", content: "3" },
  ]);
  expect(results).toHaveLength(2);
});

test("resume() refuses a second conversation next to the run's own [field-bug:PB-approvals-26]", async () => {
  const { write } = counter({ needsApproval: true });
  const model = scriptedModel([writeCall(), "Done."]);
  const store = memoryStore();
  const agent = new Agent({ ...base, model, tools: [write], store, session: store.sessions });
  const first = await agent.run("go", { sessionId: "s" });
  expect(
    await failureOf(agent.resume(first.runId, approveAll(first.interruptions), { messages: first.messages })),
  ).toMatchObject({ code: "INVALID_OPTION" });
  await agent.resume(first.runId, approveAll(first.interruptions));
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
});

test("after a pause the session holds each call and each result once [field-bug:PB-handoff-03]", async () => {
  const { write } = counter({ needsApproval: true });
  const store = memoryStore();
  const agent = new Agent({ ...base, model: callsOnce(), tools: [write], store, session: store.sessions });
  const first = await agent.run("go", { sessionId: "s" });
  await agent.resume(first.runId, approveAll(first.interruptions));
  expect((await store.sessions.load("s")).messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
  ]);
});

test("an interruption read from a file is used like the live one [field-bug:PB-nested-approvals-04]", async () => {
  const { write, ran } = counter({ needsApproval: true });
  // With a key, a decision needs the token of its question.
  const agent = new Agent({ ...base, model: callsOnce(), tools: [write], keys: { sign: "k".repeat(32) } });
  const first = await agent.run("go");
  const live = first.interruptions[0]!;
  const restored = interruption(JSON.parse(JSON.stringify(live)) as InterruptionData);
  expect([restored.toolName, restored.args, restored.approve()]).toEqual([live.toolName, live.args, live.approve()]);
  await agent.resume(first.runId, [restored.approve()]);
  expect(ran).toEqual(["a"]);
});
