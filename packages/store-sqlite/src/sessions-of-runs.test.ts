import { createAgentRuntime, tool } from "@bailiwick/core";
import type { AgentRuntime, Message } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import type { ScriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { shortLeases } from "./short-leases.fixture.ts";
import { sqliteStore } from "./sqlite-store.ts";
import type { SqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const look = tool({
  name: "look",
  description: "Looks something up.",
  inputSchema: z.object({ what: z.string() }),
  sideEffectClass: "read-only",
  execute: ({ what }) => {
    if (what === "broken") throw new Error("The shelf fell down.");
    return `saw ${what}`;
  },
});

function agentWith(store: SqliteStore, model: ScriptedModel, session = true): AgentRuntime {
  return createAgentRuntime({
    name: "agent",
    model,
    tools: [look],
    store,
    logger: quiet,
    ...(session && { session: store.sessions }),
  });
}

const textOf = (message: Message): string =>
  typeof message.content === "string"
    ? message.content
    : message.content.map((part) => (part.type === "text" ? part.text : `<${part.type}>`)).join("");

async function withStore(
  work: (store: SqliteStore, reopen: () => Promise<SqliteStore>) => Promise<void>,
): Promise<void> {
  using folder = temporaryFolder();
  let store = sqliteStore({ path: folder.file });
  try {
    await work(store, async () => {
      await store.close();
      store = sqliteStore({ path: folder.file });
      return store;
    });
  } finally {
    await store.close();
  }
}

test("two runs of one message each leave four messages in their session [field-bug:PB-session-02]", () =>
  withStore(async (store) => {
    const agent = agentWith(store, scriptedModel(["One.", "Two."]));
    await agent.run("first", { sessionId: "s" });
    await agent.run("second", { sessionId: "s" });
    expect((await store.sessions.load("s")).messages.map(textOf)).toEqual(["first", "One.", "second", "Two."]);
  }));

test("parts and messages are stored in the order they were streamed in [field-bug:PB-session-05]", () =>
  withStore(async (store) => {
    const model = scriptedModel([
      { text: "Looking.", toolCalls: [{ name: "look", arguments: { what: "a" } }] },
      { text: "Once more.", toolCalls: [{ name: "look", arguments: { what: "b" } }] },
      "Both seen.",
    ]);
    await agentWith(store, model).run("go", { sessionId: "s" });
    expect((await store.sessions.load("s")).messages.map(textOf)).toEqual([
      "go",
      "Looking.<tool_call>",
      "saw a",
      "Once more.<tool_call>",
      "saw b",
      "Both seen.",
    ]);
  }));

test("reloading and continuing duplicates neither messages nor parts [field-bug:PB-session-06]", () =>
  withStore(async (store, reopen) => {
    const parts = { text: "Let me look.", toolCalls: [{ name: "look", arguments: { what: "a" } }] };
    await agentWith(store, scriptedModel([parts, "Seen."])).run("one", { sessionId: "s" });
    const again = await reopen();
    const model = scriptedModel(["Yes."]);
    await agentWith(again, model).run("two", { sessionId: "s" });
    const { messages } = await (await reopen()).sessions.load("s");
    expect(messages.map(textOf)).toEqual(["one", "Let me look.<tool_call>", "saw a", "Seen.", "two", "Yes."]);
    expect(model.requests[0]?.messages).toHaveLength(5);
  }));

test("without a session store a second run with the same ids does not know the first [field-bug:PB-session-07]", () =>
  withStore(async (store) => {
    const model = scriptedModel(["One.", "Two."]);
    const agent = agentWith(store, model, false);
    for (const input of ["my name is Tulip", "who am I?"]) await agent.run(input, { sessionId: "s", userId: "u" });
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain("Tulip");
  }));

test("a tool that fails leaves its error in the history, and the run continues [field-bug:PB-session-08]", () =>
  withStore(async (store) => {
    const model = scriptedModel([{ toolCalls: [{ name: "look", arguments: { what: "broken" } }] }, "It is broken."]);
    const output = await agentWith(store, model).run("go", { sessionId: "s" });
    expect(output.status).toBe("completed");
    const { messages } = await store.sessions.load("s");
    expect(messages[2]).toMatchObject({ role: "tool", isError: true });
    expect(messages[2] && textOf(messages[2])).toContain("The shelf fell down.");
  }));

test("a second run on a session waits for the first, and reads its messages [field-bug:PB-session-10] [memory.concurrent-runs]", () =>
  withStore(async (store) => {
    const model = scriptedModel([{ faults: { delayMs: 30 }, text: "One." }, "Two."]);
    const agent = agentWith(store, model);
    await Promise.all([agent.run("first", { sessionId: "s" }), agent.run("second", { sessionId: "s" })]);
    expect(JSON.stringify(model.requests[1]?.messages)).toContain("One.");
    expect((await store.sessions.load("s")).messages.map(textOf)).toEqual(["first", "One.", "second", "Two."]);
  }));

test("runs at once on one agent, without a session, do not see each other's messages [field-bug:PB-session-12]", () =>
  withStore(async (store) => {
    const model = scriptedModel(
      (request) => `You said: ${String(request.messages.filter(({ role }) => role === "user").length)}`,
    );
    const agent = agentWith(store, model);
    const outputs = await Promise.all(["a", "b", "c"].map((input) => agent.run(input)));
    expect(outputs.map(({ text }) => text)).toEqual(["You said: 1", "You said: 1", "You said: 1"]);
    expect(new Set(outputs.map(({ sessionId }) => sessionId)).size).toBe(3);
    expect(outputs.map(({ messages }) => messages[0] && textOf(messages[0]))).toEqual(["a", "b", "c"]);
  }));

test("when a run is done, its session is written: never one without the other [seams.store.session-in-transaction]", () =>
  withStore(async (store, reopen) => {
    const { runId } = await agentWith(store, scriptedModel(["One."])).run("first", { sessionId: "s", tenantId: "t1" });
    const again = await reopen();
    expect((await again.getRun(runId))?.state).toBe("completed");
    expect((await again.sessions.load("s", { tenantId: "t1" })).messages).toHaveLength(2);
    expect((await again.sessions.load("s")).messages).toEqual([]);
  }));

test("each record has its place in the run as key, and the answer shares a commit with the intents [seams.store.event-keys] [seams.store.shared-commit]", () =>
  withStore(async (store) => {
    const write = tool({
      name: "write",
      description: "Writes.",
      inputSchema: z.object({}),
      sideEffectClass: "external-stateful",
      execute: () => "ok",
    });
    const model = scriptedModel([
      {
        toolCalls: [
          { name: "write", arguments: {} },
          { name: "write", arguments: {} },
        ],
      },
      "Done.",
    ]);
    const batches: string[][] = [];
    const watched = {
      ...store,
      append: (...args: Parameters<typeof store.append>) => {
        batches.push(args[1].map(({ key }) => key));
        return store.append(...args);
      },
    };
    const agent = createAgentRuntime({ name: "agent", model, tools: [write], store: watched, logger: quiet });
    const { runId } = await agent.run("go");
    expect(batches.find((keys) => keys.includes("t1/model"))).toEqual(
      expect.arrayContaining(["t1/c0/intent", "t1/c1/intent"]),
    );
    expect((await store.load(runId)).map(({ key }) => key)).toEqual(
      expect.arrayContaining([
        "run/start",
        "t1/model/intent/a1",
        "t1/model",
        "t1/c0/call",
        "t1/c0/intent",
        "t1/c0/outcome",
        "t1/c0/result",
        "t2/model",
        "run/end",
      ]),
    );
  }));

test("with `tell-model` no person is asked: the model reads that the outcome is unknown [effects.unknown.tell-model]", () =>
  withStore(async (store) => {
    let broken = false;
    const write = tool({
      name: "write",
      description: "Writes.",
      inputSchema: z.object({}),
      sideEffectClass: "external-stateful",
      execute: () => {
        broken = true;
        return "ok";
      },
    });
    const failing = {
      ...shortLeases(store, 50),
      append: (...args: Parameters<typeof store.append>) =>
        broken ? Promise.reject(new Error("The connection is gone.")) : store.append(...args),
    };
    const model = scriptedModel((request) =>
      request.messages.some(({ role }) => role === "tool")
        ? "I do not know."
        : { toolCalls: [{ name: "write", arguments: {} }] },
    );
    const agent = createAgentRuntime({
      name: "agent",
      model,
      tools: [write],
      store: failing,
      logger: quiet,
      onUnknownOutcome: "tell-model",
      timeouts: { storeMs: 0 },
    });
    await expect(agent.run("go")).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
    broken = false;
    await new Promise((resolve) => setTimeout(resolve, 80));
    const [run] = await store.listRuns({});
    const output = await agent.resume(run?.id ?? "");
    expect(output).toMatchObject({
      status: "completed",
      text: "I do not know.",
      toolCalls: [{ isError: true, error: { kind: "unknown_outcome", effectHappened: "unknown" } }],
    });
    expect(broken).toBe(false);
  }));

test("a model call without its result runs again on resume, as a further attempt that counts [effects.model-call-journaled]", () =>
  withStore(async (store) => {
    let broken = true;
    const failing = {
      ...shortLeases(store, 50),
      append: (...args: Parameters<typeof store.append>) =>
        broken && args[1].some(({ type }) => type === "model.result")
          ? Promise.reject(new Error("The connection is gone."))
          : store.append(...args),
    };
    const model = scriptedModel(() => "Hello.");
    const agent = createAgentRuntime({ name: "agent", model, store: failing, logger: quiet, timeouts: { storeMs: 0 } });
    await expect(agent.run("go")).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE", uncertainCalls: [] });
    broken = false;
    await new Promise((resolve) => setTimeout(resolve, 80));
    const [run] = await store.listRuns({});
    const intent = await store.get(run?.id ?? "", "t1/model/intent/a1");
    expect(intent).toMatchObject({ type: "model.intent", attempt: 1, hostedWriters: [] });
    expect(intent?.type === "model.intent" && intent.requestHash).toMatch(/^[0-9a-f]{64}$/);
    const output = await agent.resume(run?.id ?? "");
    expect(output.text).toBe("Hello.");
    expect(model.requests).toHaveLength(2);
    expect(output.metrics.modelCalls).toBe(2);
    expect(await store.get(output.runId, "t1/model/intent/a2")).toBeDefined();
  }));

test("a session continues after a run that failed and one that was cancelled; the failed turn is marked, and its answer takes the place of the marker when it is resumed [memory.failed-run]", () =>
  withStore(async (store) => {
    const controller = new AbortController();
    let broken = true;
    const model = scriptedModel((request) => {
      if (request.lastUserText === "fail") return broken ? { faults: { error: { status: 400 } } } : "Mended.";
      if (request.lastUserText === "abort") controller.abort();
      return "Fine.";
    });
    const agent = agentWith(store, model);
    const texts = async () =>
      (await store.sessions.load("s")).messages.map((message) => [message.role, textOf(message)]);
    await expect(agent.run("fail", { sessionId: "s" })).rejects.toMatchObject({ output: { status: "failed" } });
    const [failed] = await store.listRuns({});
    expect((await agent.run("abort", { sessionId: "s", signal: controller.signal })).status).toBe("cancelled");
    expect((await agent.run("go on", { sessionId: "s" })).text).toBe("Fine.");
    const before = await texts();
    expect(before.slice(0, 3)).toEqual([
      ["user", "fail"],
      ["assistant", expect.stringContaining("[This turn has no answer yet")],
      ["user", "abort"],
    ]);
    expect(before.slice(-2)).toEqual([
      ["user", "go on"],
      ["assistant", "Fine."],
    ]);
    broken = false;
    expect((await agent.resume(failed?.id ?? "")).text).toBe("Mended.");
    const mended = before.map(([role, text]) => [
      role,
      text?.startsWith("[This turn has no answer yet") === true ? "Mended." : text,
    ]);
    expect(await texts()).toEqual(mended);
  }));
