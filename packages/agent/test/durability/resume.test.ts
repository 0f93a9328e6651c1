import {
  foldJournal,
  memorySessions,
  memoryStore,
  tool,
  type Decision,
  type InterruptionData,
  type RunEvent,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { drivenNow } from "./drive-due.test.helper.ts";
import {
  add,
  addCall,
  collect,
  counter,
  failureOf,
  listeningLogger,
  quiet,
  waiting,
  writeCall,
} from "../fixtures.test.helper.ts";
import { Agent, interruption } from "../../src/index.ts";

const base = { name: "agent", logger: quiet } as const;

test("another agent object resumes from the store, with decisions that went through JSON [run.resume] [seams.surface.interruption-is-data]", async () => {
  const store = memoryStore();
  const { write, ran } = counter({ needsApproval: true });
  const first = await new Agent({ ...base, model: scriptedModel([writeCall()]), tools: [write], store }).run("go");
  const stored = JSON.stringify(first.interruptions);
  const decisions = JSON.parse(
    JSON.stringify(
      (JSON.parse(stored) as InterruptionData[]).map((data) =>
        interruption(data).approve({ decidedBy: "ada", channel: "mail" }),
      ),
    ),
  ) as Decision[];
  const there = new Agent({ ...base, model: scriptedModel(["Done."]), tools: [write], store });
  expect((await there.interruptions(first.runId)).map(({ id }) => id)).toEqual(first.interruptions.map(({ id }) => id));
  const second = await there.resume(first.runId, decisions);
  expect(second).toMatchObject({ status: "completed", text: "Done.", runId: first.runId });
  expect(ran).toEqual(["a"]);
  const decided = (await there.inspect(first.runId)).events.find(({ type }) => type === "tool.approval.decided");
  expect(decided).toMatchObject({ decision: { decidedBy: "ada", channel: "mail" } });
});

test("an unknown or used decision is an error; nothing runs and the questions stay open [people.binding.unknown-id] [people.binding.single-use]", async () => {
  const store = memoryStore();
  const { write, ran } = counter({ needsApproval: true });
  const agent = new Agent({ ...base, model: scriptedModel([writeCall(), writeCall("b")]), tools: [write], store });
  const first = await agent.run("go");
  const [question] = first.interruptions;
  expect(await failureOf(agent.resume(first.runId, [{ id: "nobody", type: "approve" }]))).toMatchObject({
    code: "UNKNOWN_DECISION",
  });
  expect(ran).toEqual([]);
  expect(await agent.interruptions(first.runId)).toHaveLength(1);
  const decision = question?.approve() as Decision;
  await agent.resume(first.runId, [decision]);
  expect(ran).toEqual(["a"]);
  const other = question?.reject("No.") as Decision;
  expect(await failureOf(agent.resume(first.runId, [other]))).toMatchObject({ code: "DECISION_USED" });
  expect(ran).toEqual(["a"]);
});

test("all gated calls of a turn ask together, partial decisions are stored, and ungated calls run [people.batch] [people.batch.partial] [people.batch.ungated-run]", async () => {
  const store = memoryStore();
  const { write, ran } = counter({ needsApproval: true });
  const model = scriptedModel([
    {
      toolCalls: [
        { name: "write", arguments: { line: "a" } },
        { name: "add", arguments: { a: 1, b: 2 } },
        { name: "write", arguments: { line: "b" } },
      ],
    },
    "Done.",
  ]);
  const agent = new Agent({ ...base, model, tools: [write, add], store });
  const first = await agent.run("go");
  expect(first.interruptions).toHaveLength(2);
  expect(first.toolCalls.map((call) => call.toolName)).toEqual(["add"]);
  const second = await agent.resume(first.runId, [first.interruptions[1]?.approve() as Decision]);
  expect(second.status).toBe("suspended");
  expect(second.interruptions.map(({ id }) => id)).toEqual([first.interruptions[0]?.id]);
  const third = await agent.resume(first.runId, [first.interruptions[0]?.reject("not now") as Decision]);
  expect(third.text).toBe("Done.");
  expect(ran).toEqual(["b"]);
});

test("a message for a suspended run is read after the results [people.while-paused]", async () => {
  const store = memoryStore();
  const { write } = counter({ needsApproval: true });
  const model = scriptedModel([writeCall(), "Done."]);
  const agent = new Agent({ ...base, model, tools: [write], store });
  const first = await agent.run("go");
  await agent.steer(first.runId, "Thanks in advance.");
  const second = await agent.resume(
    first.runId,
    first.interruptions.map((one) => one.approve()),
  );
  expect(second.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user", "assistant"]);
});

test("a decision may arrive as a signal from a process that has only the store", async () => {
  const store = memoryStore();
  const { write, ran } = counter({ needsApproval: true });
  const agent = new Agent({ ...base, model: scriptedModel([writeCall(), "Done."]), tools: [write], store });
  const first = await agent.run("go");
  await store.signal(first.runId, { name: "decision", id: "s1", payload: first.interruptions[0]?.approve() });
  const [recovered] = await drivenNow(agent);
  expect(recovered).toMatchObject({ runId: first.runId, text: "Done." });
  expect(ran).toEqual(["a"]);
});

test("a changed definition is journaled; a missing tool is a recoverable error; a changed tool asks again [run.resume.definition-changed] [run.resume.tool-missing] [run.resume.tool-changed]", async () => {
  const store = memoryStore();
  const { write, ran } = counter({ needsApproval: true });
  const first = await new Agent({ ...base, model: scriptedModel([writeCall()]), tools: [write], store }).run("go");
  const approve = first.interruptions.map((one) => one.approve());
  expect(
    await failureOf(new Agent({ ...base, model: scriptedModel([]), tools: [add], store }).resume(first.runId, approve)),
  ).toMatchObject({ code: "TOOL_MISSING" });
  const changed = tool({
    ...(write as object),
    description: "Writes elsewhere.",
    sideEffectClass: "side-effecting",
  } as Parameters<typeof tool>[0]);
  const again = await new Agent({ ...base, model: scriptedModel([]), tools: [changed], store }).resume(
    first.runId,
    approve,
  );
  expect(again.status).toBe("suspended");
  expect(ran).toEqual([]);
  const last = await new Agent({ ...base, model: scriptedModel(["Done."]), tools: [changed], store }).resume(
    first.runId,
    again.interruptions.map((one) => one.approve()),
  );
  expect(last.text).toBe("Done.");
  const { events } = await new Agent({ ...base, model: scriptedModel([]), store }).inspect(first.runId);
  expect(events.some(({ type }) => type === "run.definition_changed")).toBe(true);
});

test("the first suspension without a store warns once that the run cannot be resumed elsewhere [run.no-store]", async () => {
  const logger = listeningLogger();
  const { write } = counter({ needsApproval: true });
  const agent = new Agent({ ...base, logger, model: scriptedModel(() => writeCall()), tools: [write] });
  await agent.run("go");
  await agent.run("go");
  expect(logger.lines.filter((line) => line.includes("no store"))).toHaveLength(1);
});

test("a fork continues from a record, without repeating calls that have a result [run.fork]", async () => {
  const { write, ran } = counter();
  const model = scriptedModel([writeCall(), "First.", "Second."]);
  const agent = new Agent({ ...base, model, tools: [write], store: memoryStore() });
  const first = await agent.run("go");
  const { events } = await agent.inspect(first.runId);
  const atSeq = events.find(({ type }) => type === "tool.result")?.seq ?? 0;
  const { runId } = await agent.fork(first.runId, { atSeq, edit: { message: "Say it differently." } });
  const forked = await agent.resume(runId);
  expect(forked).toMatchObject({ text: "Second.", status: "completed" });
  expect(forked.messages.some(({ content }) => content === "Say it differently.")).toBe(true);
  expect(ran).toEqual(["a"]);
  expect((await agent.inspect(first.runId)).output?.text).toBe("First.");
});

test("inspect() and replay() of a run that has not ended return no output, and its progress so far [run.inspect.output]", async () => {
  const store = memoryStore();
  let release = (): void => undefined;
  const started = new Promise<void>((resolve) => (release = resolve));
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const wait = tool({
    name: "wait",
    description: "Waits.",
    sideEffectClass: "read-only",
    inputSchema: z.object({}),
    execute: async () => {
      release();
      await finished;
      return "ok";
    },
  });
  const model = scriptedModel([{ text: "Let me wait. ", toolCalls: [{ name: "wait" }] }, "Done."]);
  const agent = new Agent({ ...base, model, tools: [wait], store });
  const { runId } = await agent.enqueue("go");
  expect(await agent.inspect(runId)).toMatchObject({ run: { state: "queued" }, output: undefined });
  const driven = agent.resume(runId);
  await started;
  const running = await agent.inspect(runId);
  expect(running).toMatchObject({ run: { state: "running" }, output: undefined });
  expect(running.progress).toMatchObject({ text: "", toolCalls: [] });
  expect(await agent.replay(runId)).toBeUndefined();
  finish();
  await driven;
  expect(await agent.inspect(runId)).toMatchObject({ run: { state: "completed" }, output: { status: "completed" } });
});

test("a replay returns the recorded output, and calls no model and no tool [run.replay] [run.inspect] [journal.fold]", async () => {
  const { write, ran } = counter();
  const model = scriptedModel([writeCall(), "Done."]);
  const agent = new Agent({ ...base, model, tools: [write], store: memoryStore() });
  const first = await agent.run("go");
  const replayed = await agent.replay(first.runId);
  expect(replayed).toEqual({ ...first, warnings: replayed?.warnings });
  expect(model.requests).toHaveLength(2);
  expect(ran).toEqual(["a"]);
  const inspection = await agent.inspect(first.runId);
  expect(inspection).toMatchObject({
    run: { state: "completed" },
    interruptions: [],
    uncertainCalls: [],
    output: { text: "Done." },
  });
});

test("a failed run is resumed by its id and repeats the failed turn", async () => {
  const store = memoryStore();
  const model = scriptedModel([addCall(), { faults: { error: { status: 401 } } }, "Done."]);
  const agent = new Agent({ ...base, model, tools: [add], store });
  const error = (await failureOf(agent.run("go"))) as { runId: string };
  const result = await agent.resume(error.runId);
  expect(result).toMatchObject({ status: "completed", text: "Done." });
  expect(result.toolCalls).toHaveLength(1);
  expect((await agent.inspect(error.runId)).events.map(({ key }) => key)).toContain("t2/model/intent/a2");
});

test("runs of a dead process are resumed, but not those of other agents [seams.surface.recover]", async () => {
  let now = 0;
  const clock = { now: () => now, setTimer: () => () => undefined };
  const store = memoryStore({ clock });
  const never = scriptedModel([addCall(), { faults: { hangAfterEvents: 0 } }]);
  void new Agent({ ...base, model: never, tools: [add], store }).run("go").catch(() => undefined);
  await expect.poll(() => never.requests.length).toBe(2);
  const agent = new Agent({ ...base, model: scriptedModel(["Done."]), tools: [add], store });
  expect(await drivenNow(agent)).toEqual([]);
  now += 60_000;
  expect(await drivenNow(new Agent({ ...base, name: "other", model: scriptedModel(["x"]), store }))).toEqual([]);
  expect(await drivenNow(agent)).toMatchObject([{ status: "completed", text: "Done.", toolCalls: [{ output: 3 }] }]);
});

test("a run that lost its lease stops and writes nothing more [store.renew]", async () => {
  let now = 0;
  const store = memoryStore({ clock: { now: () => now, setTimer: () => () => undefined } });
  const { wait, open } = waiting("late");
  const agent = new Agent({
    ...base,
    model: scriptedModel([{ toolCalls: [{ name: "wait" }] }, "never"]),
    tools: [wait],
    store,
  });
  const handle = agent.stream("go", { detached: true });
  for await (const event of handle) if (event.type === "model.result") break;
  now += 60_000;
  const lease = await store.acquire(handle.runId, "thief", 30_000);
  expect(lease).not.toBeNull();
  open();
  const failure = await failureOf(handle.result);
  expect(failure).toMatchObject({ code: "FENCED", retryable: true });
  // The run has no outcome: another process has it.
  expect(failure).not.toHaveProperty("output");
  expect((await store.load(handle.runId)).some(({ type }) => type === "run.end")).toBe(false);
});

test("after an abort the next run of the session gets a valid history [field-bug:PB-abort-07]", async () => {
  const session = memorySessions();
  let stop: () => void = () => undefined;
  const slow = tool({
    name: "slow",
    description: "Slow.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => (stop(), new Promise<string>(() => undefined)),
  });
  const model = scriptedModel((request) => {
    for (const message of request.messages)
      for (const call of message.toolCalls)
        if (!request.messages.some(({ toolResult }) => toolResult?.toolCallId === call.id)) throw new Error("unpaired");
    return request.lastUserText === "go" ? { toolCalls: [{ name: "slow" }] } : "Done.";
  });
  const agent = new Agent({ ...base, model, tools: [slow], session });
  const controller = new AbortController();
  stop = () => controller.abort();
  expect((await agent.run("go", { sessionId: "s", signal: controller.signal })).status).toBe("cancelled");
  expect((await agent.run("again", { sessionId: "s" })).text).toBe("Done.");
  expect((await session.load("s")).messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "user",
    "assistant",
  ]);
});

test("a session has the run's messages and state once the run ended [seams.store.session-in-transaction] [seams.store.session-elsewhere]", async () => {
  const store = memoryStore();
  const remember = tool({
    name: "remember",
    description: "Remembers.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    execute: (_input, ctx) => (
      ctx.setState("visits", (ctx.getState<number>("visits") ?? 0) + 1),
      ctx.getState("visits")
    ),
  });
  for (const session of [store.sessions, memorySessions()]) {
    const model = scriptedModel((request) =>
      request.toolResults.length === 0
        ? { toolCalls: [{ name: "remember" }] }
        : `visit ${request.toolResults[0]?.text}`,
    );
    const agent = new Agent({ ...base, model, tools: [remember], session, store });
    expect((await agent.run("one", { sessionId: "s" })).text).toBe("visit 1");
    expect((await agent.run("two", { sessionId: "s" })).text).toBe("visit 2");
    expect((await session.load("s")).messages).toHaveLength(8);
  }
});

test("two runs on one session wait for each other, or are refused [memory.concurrent-runs]", async () => {
  const session = memorySessions();
  const agent = new Agent({ ...base, model: scriptedModel((request) => `${request.messages.length}`), session });
  const [first, second] = await Promise.all([agent.run("a", { sessionId: "s" }), agent.run("b", { sessionId: "s" })]);
  expect([first.text, second.text]).toEqual(["1", "3"]);
  const refused = await Promise.allSettled([
    agent.run("a", { sessionId: "t" }),
    agent.run("b", { sessionId: "t", concurrentRuns: "refuse" }),
  ]);
  expect(refused.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});

test("the model of a second run on a session is called after the first run has ended [memory.concurrent-runs]", async () => {
  const order: string[] = [];
  const model = scriptedModel(async ({ lastUserText }) => {
    order.push(`${lastUserText} asks`);
    // A second run that did not wait would call the model in the meantime.
    for (let turns = 0; turns < 200; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    order.push(`${lastUserText} ends`);
    return "Done.";
  });
  const agent = new Agent({ ...base, model, session: memorySessions() });
  await Promise.all(["a", "b", "c"].map((input) => agent.run(input, { sessionId: "s" })));
  expect(order).toEqual(["a asks", "a ends", "b asks", "b ends", "c asks", "c ends"]);
  order.length = 0;
  await Promise.all(["a", "b"].map((input) => agent.run(input, { sessionId: input })));
  expect(order).toEqual(["a asks", "b asks", "a ends", "b ends"]);
});

test("an agent without a store keeps its last 100 ended runs [run.no-store.bounded]", async () => {
  const agent = new Agent({ ...base, model: scriptedModel(() => "Done.") });
  const runIds: string[] = [];
  for (let count = 0; count <= 100; count += 1) runIds.push((await agent.run("go")).runId);
  expect(await failureOf(agent.inspect(runIds[0] ?? ""))).toMatchObject({ code: "RUN_NOT_FOUND" });
  expect((await agent.inspect(runIds[1] ?? "")).run.state).toBe("completed");
});

test("resumeStream emits the events since the resume", async () => {
  const { write } = counter({ needsApproval: true });
  const agent = new Agent({
    ...base,
    model: scriptedModel([writeCall(), "Done."]),
    tools: [write],
    store: memoryStore(),
  });
  const first = await agent.run("go");
  const { events } = await collect(
    agent.resumeStream(
      first.runId,
      first.interruptions.map((one) => one.approve()),
    ),
  );
  expect(events[0]?.type).toBe("run.resumed");
  expect(events.filter((event: RunEvent) => event.type === "text").length).toBeGreaterThan(0);
  expect(events.at(-1)).toMatchObject({ type: "run.end", status: "completed" });
});

test("an inbox decision that matches no question is journaled as dropped and not read again [run.decision-dropped]", async () => {
  const store = memoryStore();
  const { write, ran } = counter({ needsApproval: true });
  const logger = listeningLogger();
  const agent = new Agent({ ...base, logger, model: scriptedModel([writeCall(), "Done."]), tools: [write], store });
  const { runId, interruptions } = await agent.run("go");
  const signal = (id: string, payload: unknown): Promise<void> =>
    store.signal(runId, { name: "decision", id, payload });
  await signal("s1", { id: "nobody", type: "approve" });
  await signal("s2", { ...interruptions[0]?.approve(), type: "perhaps" });
  const [waiting] = await drivenNow(agent);
  expect(waiting).toMatchObject({
    status: "suspended",
    warnings: [
      { code: "UNKNOWN_DECISION", subject: "s1" },
      { code: "DECISION_INVALID", subject: "s2" },
    ],
  });
  const { events } = await agent.inspect(runId);
  expect(events.filter(({ type }) => type === "signal.dropped")).toMatchObject([
    { signalId: "s1", code: "UNKNOWN_DECISION" },
    { signalId: "s2", code: "DECISION_INVALID" },
  ]);
  expect(foldJournal(events).pendingDecisions).toEqual([]);
  expect(ran).toEqual([]);

  await signal("s3", interruptions[0]?.approve());
  const [done] = await drivenNow(agent);
  expect(done).toMatchObject({ text: "Done.", warnings: [] });
  expect(foldJournal((await agent.inspect(runId)).events).pendingDecisions).toEqual([]);
  expect(ran).toEqual(["a"]);
});
