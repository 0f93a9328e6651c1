import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, memorySessions, memoryStore, tool } from "@bailiwick/agent";
import type { Message, RunStore, SessionStore } from "@bailiwick/agent";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const shown = (message: Message): string =>
  `${message.role}: ${typeof message.content === "string" ? message.content : message.content.map((part) => (part.type === "text" ? part.text : part.type)).join(" ")}`;

/** An agent whose model fails while `state.broken` is set, with its session as texts. */
function make(...failing: readonly object[]) {
  const store = memoryStore();
  const state = { broken: true, looked: 0 };
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => `looked ${(state.looked += 1)}`,
  });
  const model = scriptedModel((request) => {
    const last = request.messages.at(-1);
    if (last?.role === "user" && request.lastUserText === "look") return { toolCalls: [{ name: "look" }] };
    if (state.broken) return failing[0] ?? { faults: { error: { status: 400 } } };
    return "It is 42.";
  });
  const agent = new Agent({
    name: "agent",
    logger: quiet,
    model,
    tools: [look],
    store,
    session: store.sessions,
    retry: { maxRetries: 0 },
  });
  const session = async () => (await store.sessions.load("s")).messages.map(shown);
  const fail = async (input: string): Promise<string> => {
    const handle = agent.stream(input, { sessionId: "s" });
    await expect(handle.result).rejects.toMatchObject({ output: { status: "failed" } });
    return handle.runId;
  };
  return { agent, model, state, session, fail };
}

const marker = expect.stringMatching(/^assistant: \[This turn has no answer yet \([A-Z_]+\)\.\]$/u) as string;

test("a failed run leaves the user's message with a marker, and the next run has it as context [memory.failed-run]", async () => {
  const { agent, model, state, session, fail } = make();
  await fail("What is 6 times 7?");
  expect(await session()).toEqual(["user: What is 6 times 7?", marker]);
  state.broken = false;
  expect((await agent.run("Please try again.", { sessionId: "s" })).text).toBe("It is 42.");
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("What is 6 times 7?");
});

test("a resumed run adds only messages that the session does not have yet, after any number of failures [memory.failed-run]", async () => {
  const { agent, state, session, fail } = make();
  const runId = await fail("look");
  const left = ["user: look", "assistant: tool_call", "tool: looked 1", marker];
  expect(await session()).toEqual(left);
  await expect(agent.resume(runId)).rejects.toMatchObject({ output: { status: "failed" } });
  expect(await session()).toEqual(left);
  state.broken = false;
  expect((await agent.resume(runId)).text).toBe("It is 42.");
  expect(await session()).toEqual([...left.slice(0, -1), "assistant: It is 42."]);
  expect(state.looked).toBe(1);
});

test("the session contains only the complete answer, not the interrupted one [memory.failed-run]", async () => {
  const { agent, state, session, fail } = make({ text: "It is 4 or so, I think.", faults: { cutAfterEvents: 2 } });
  const runId = await fail("What is 6 times 7?");
  expect(await session()).toEqual(["user: What is 6 times 7?", marker]);
  state.broken = false;
  await agent.resume(runId);
  expect(await session()).toEqual(["user: What is 6 times 7?", "assistant: It is 42."]);
});

/** Stores of runs, with the stores of their sessions. */
const places: Readonly<Record<string, () => { readonly store: RunStore; readonly session: SessionStore }>> = {
  "a store in memory": () => withOwn(memoryStore()),
  SQLite: () => withOwn(sqliteStore({ path: join(mkdtempSync(join(tmpdir(), "turns-")), "runs.db"), logger: quiet })),
  "a separate session store": () => ({ store: memoryStore(), session: memorySessions() }),
  "a session store in another database": () => ({
    store: memoryStore(),
    session: sqliteStore({ path: join(mkdtempSync(join(tmpdir(), "turns-")), "runs.db"), logger: quiet }).sessions,
  }),
};
const withOwn = (store: RunStore) => ({ store, session: store.sessions as SessionStore });

test.each(
  Object.entries(places).flatMap(([place, open]) => [
    [place, "plain", open] as const,
    [place, "sealed", open] as const,
  ]),
)(
  "a failed turn that is resumed after later ones is where it was asked: %s, %s [memory.turn-order]",
  async (_place, kind, open) => {
    const { store, session } = open();
    const failing = new Set<string>(["first", "third"]);
    const look = tool({
      name: "look",
      description: "Looks.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      execute: () => "looked",
    });
    const model = scriptedModel(({ lastUserText, messages }) => {
      const asks = messages.at(-1)?.role === "user";
      if (asks && lastUserText.startsWith("first")) return { toolCalls: [{ name: "look" }] };
      return failing.has(lastUserText) ? { faults: { error: { status: 400 } } } : `answer to ${lastUserText}`;
    });
    const agent = new Agent({
      name: "agent",
      logger: quiet,
      model,
      tools: [look],
      store,
      session,
      retry: { maxRetries: 0 },
      ...(kind === "sealed" && { keys: { seal: "b".repeat(64) } }),
    });
    const read = async () => ((await agent.sessions?.load("s"))?.messages ?? []).map(shown);
    const run = async (input: string): Promise<string> => {
      const handle = agent.stream(input, { sessionId: "s" });
      await handle.result.catch(() => undefined);
      return handle.runId;
    };
    const first = await run("first");
    await run("second");
    const third = await run("third");
    await run("fourth");
    failing.clear();
    await agent.resume(third);
    await agent.resume(first);
    const turn = (name: string): readonly string[] => [`user: ${name}`, `assistant: answer to ${name}`];
    const all = [
      "user: first",
      "assistant: tool_call",
      "tool: looked",
      "assistant: answer to first",
      ...turn("second"),
      ...turn("third"),
      ...turn("fourth"),
    ];
    expect(await read()).toEqual(all);
    await run("fifth");
    expect(await read()).toEqual([...all, ...turn("fifth")]);
    // The model gets the same order: each question has its answer, and each call its result.
    const texts = (model.requests.at(-1)?.messages ?? []).filter(({ role }) => role !== "system");
    expect(texts.map(shown)).toEqual([...all, "user: fifth"]);
  },
);
