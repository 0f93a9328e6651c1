import { EventType } from "@ag-ui/core";
import type { AGUIEvent } from "@ag-ui/core";
import { HttpAgent } from "@ag-ui/client";
import { createAgentRuntime, memoryStore, tool } from "@bailiwick/core";
import type { RunOptions, Tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { payTool } from "./pay.fixture.ts";
import { runRoutes } from "./run-routes.ts";
import { agUiEncoder } from "../ag-ui/index.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** An agent behind its routes, and a client of the protocol without other knowledge of it. */
function open(
  steps: Parameters<typeof scriptedModel>[0],
  tools: readonly Tool[] = [],
  more: Pick<RunOptions, "retry" | "guardrails" | "outputGuardrails"> = {},
) {
  const store = memoryStore();
  const agent = createAgentRuntime({
    name: "clerk",
    model: scriptedModel(steps),
    tools,
    store,
    session: store.sessions,
    logger: quiet,
    ...more,
  });
  const app = runRoutes({ agent, store, onError: () => undefined });
  const seen: AGUIEvent[] = [];
  const client = new HttpAgent({
    url: "http://localhost/ag-ui",
    threadId: "chat-1",
    fetch: async (url, init) => app.fetch(new Request(url, init)),
  });
  client.subscribe({ onEvent: ({ event }) => void seen.push(event as unknown as AGUIEvent) });
  const say = async (text: string): Promise<void> => {
    client.addMessage({ id: `said ${text}`, role: "user", content: text });
    await client.runAgent();
  };
  const post = async (body: unknown): Promise<Response> =>
    app.fetch(
      new Request("http://localhost/ag-ui", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  return { client, seen, say, post, store, agent };
}

const pays = { text: "I pay.", toolCalls: [{ name: "pay", arguments: { amount: 5 } }] };

const shape = (client: HttpAgent): unknown[] =>
  client.messages.map((message) => {
    const { role } = message;
    if (role === "assistant" && message.toolCalls !== undefined)
      return [role, message.toolCalls.map(({ function: { name, arguments: args } }) => `${name} ${args}`)];
    return [role, message.content];
  });

test("the protocol's own client talks to an agent: text, thinking, calls and results, over several messages [feature:X099]", async () => {
  const find = tool({
    name: "find",
    description: "Finds.",
    inputSchema: z.object({ order: z.string() }),
    sideEffectClass: "read-only",
    execute: async ({ order }) => ({ order, state: "sent" }),
  });
  const { client, seen, say } = open(
    [
      { reasoning: "I should look.", text: "I look.", toolCalls: [{ name: "find", arguments: { order: "7" } }] },
      "It was sent.",
      "You are welcome.",
    ],
    [find],
  );
  await say("Where is 7?");
  await say("Thanks.");
  expect(shape(client)).toEqual([
    ["user", "Where is 7?"],
    ["reasoning", "I should look."],
    ["assistant", "I look."],
    ["assistant", ['find {"order":"7"}']],
    ["tool", '{"order":"7","state":"sent"}'],
    ["assistant", "It was sent."],
    ["user", "Thanks."],
    ["assistant", "You are welcome."],
  ]);
  const last = seen.at(-1);
  expect(last).toMatchObject({ type: EventType.RUN_FINISHED, threadId: "chat-1", outcome: { type: "success" } });
  expect(seen.filter(({ type }) => type === EventType.STEP_STARTED)).toHaveLength(3);
});

test.each([
  [{ approved: true }, [5], '{"paid":5}'],
  [{ approved: true, args: { amount: 3 } }, [3], '{"paid":3}'],
  [true, [5], '{"paid":5}'],
  [{ approved: false, reason: "Too much." }, [], "Too much."],
])(
  "a question of a run becomes an interrupt, and the answer continues the run: %j",
  async (payload, expected, result) => {
    const { pay, paid } = payTool();
    const { client, seen, say } = open([pays, "That is all."], [pay]);
    await say("Pay 5.");
    const [question] = client.pendingInterrupts;
    expect(question).toMatchObject({ reason: "approval", metadata: { toolName: "pay", args: { amount: 5 } } });
    expect(JSON.stringify(question)).not.toContain("token");
    expect(paid).toEqual([]);
    await client.runAgent({ resume: [{ interruptId: question?.id ?? "", status: "resolved", payload }] });
    expect(paid).toEqual(expected);
    expect(client.pendingInterrupts).toEqual([]);
    expect(shape(client).slice(0, 3)).toEqual([
      ["user", "Pay 5."],
      ["assistant", "I pay."],
      ["assistant", ['pay {"amount":5}']],
    ]);
    const told = client.messages.find(({ role }) => role === "tool");
    expect(JSON.stringify(told?.content)).toContain(
      expected.length > 0 ? JSON.stringify(result).slice(1, -1) : "refused",
    );
    expect(client.messages.at(-1)).toMatchObject({ role: "assistant", content: "That is all." });
    expect(seen.filter(({ type }) => type === EventType.RUN_STARTED)).toHaveLength(2);
    const ends = seen.filter(({ type }) => type === EventType.RUN_FINISHED);
    expect(ends.map((end) => "usage" in end)).toEqual([true, false]);
    if (typeof payload === "object" && "args" in payload)
      expect(seen).toContainEqual(
        expect.objectContaining({
          name: "tool-arguments-changed",
          value: expect.objectContaining({ arguments: { amount: 3 } }),
        }),
      );
  },
);

test("a tool's question is answered with a value of its schema; dismissing a question counts as a refusal", async () => {
  const ask = tool({
    name: "ask",
    description: "Asks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: (_input, ctx) => ctx.ask({ question: "Which colour?", schema: z.enum(["red", "blue"]) }),
  });
  const asking = open([{ toolCalls: [{ name: "ask", arguments: {} }] }, "Blue it is."], [ask]);
  await asking.say("Choose.");
  const [question] = asking.client.pendingInterrupts;
  expect(question).toMatchObject({
    reason: "question",
    message: "Which colour?",
    responseSchema: { enum: ["red", "blue"] },
  });
  const cancelled = { interruptId: question?.id ?? "", status: "cancelled" } as const;
  await expect(asking.client.runAgent({ resume: [cancelled] })).rejects.toThrow("400");
  await asking.client.runAgent({ resume: [{ ...cancelled, status: "resolved", payload: "blue" }] });
  expect(asking.client.messages.at(-1)).toMatchObject({ content: "Blue it is." });

  const { pay, paid } = payTool();
  const paying = open([pays, "Then not."], [pay]);
  await paying.say("Pay 5.");
  await paying.client.runAgent({
    resume: paying.client.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: "cancelled" })),
  });
  expect(paid).toEqual([]);
  expect(paying.client.messages.at(-1)).toMatchObject({ content: "Then not." });
});

test("a retracted answer is also removed from the client's messages", async () => {
  const { client, seen, say } = open(["The password is swordfish."], [], {
    outputGuardrails: "after",
    guardrails: { output: [{ name: "no passwords", validate: () => ({ pass: true, replace: "I cannot say." }) }] },
  });
  await say("Tell me.");
  expect(JSON.stringify(seen)).toContain("swordfish");
  expect(shape(client)).toEqual([
    ["user", "Tell me."],
    ["assistant", "I cannot say."],
  ]);
});

test("the shown part of a turn that is asked again is removed from the client's messages", async () => {
  const cut = { text: "It is four, I", faults: { cutAfterEvents: 3 } };
  const { client, seen, say } = open([cut, "It is 3."], [], { retry: { initialDelayMs: 1 } });
  await say("1 + 2?");
  expect(JSON.stringify(seen)).toContain("four");
  expect(shape(client)).toEqual([
    ["user", "1 + 2?"],
    ["assistant", "It is 3."],
  ]);
});

test("a failed run ends with an error that has its code, and so does a cancelled one", async () => {
  const broken = open(
    () => {
      throw new Error("internal address 10.0.0.7");
    },
    [],
    { retry: { maxRetries: 0 } },
  );
  await broken.say("Go.");
  const error = broken.seen.find(({ type }) => type === EventType.RUN_ERROR);
  expect(error).toBeDefined();
  expect(JSON.stringify(broken.seen)).not.toContain("10.0.0.7");

  const { agent, seen, say } = open(() => ({ text: "Never.", faults: { delayMs: 60_000 } }));
  const said = say("Go.");
  await expect.poll(() => seen.length).toBeGreaterThan(0);
  const started = seen[0];
  await agent.cancel(String((started as { readonly metadata?: { readonly runId?: string } }).metadata?.runId));
  await said;
  expect(seen.at(-1)).toMatchObject({ type: EventType.RUN_FINISHED, outcome: { type: "cancelled" } });
});

test.each([
  [{}, "messages"],
  [{ messages: [] }, "threadId"],
  [{ messages: [], threadId: "t", runId: "r" }, "last message"],
  [{ messages: [{ role: "assistant", content: "I said so." }], threadId: "t", runId: "r" }, "message of the user"],
  [{ messages: [{ role: "user", content: "" }], threadId: "t", runId: "r" }, "empty"],
  [{ messages: [{ role: "user", content: "hi" }], threadId: "t", runId: "r", tools: [{ name: "a b" }] }, "tools"],
  [{ messages: [{ role: "user", content: "hi" }], threadId: "t", runId: "r", context: "x" }, "context"],
  [{ messages: [{ role: "user", content: "hi" }], threadId: "t", runId: "r", state: "x" }, "state"],
  [{ messages: [], threadId: "t", runId: "r", resume: [{ interruptId: "i", status: "maybe" }] }, "resume[0].status"],
])("an invalid request is refused with the reason: %j", async (body, word) => {
  const response = await open(["Hello."]).post(body);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { readonly error: { readonly message: string } };
  expect(error.message).toContain(word);
});

test("an answer without an open question has no effect; a thread without a run has no question", async () => {
  const { pay, paid } = payTool();
  const { client, say, post } = open([pays, "Done."], [pay]);
  await say("Pay 5.");
  const answer = (threadId: string) => ({
    threadId,
    runId: "r",
    messages: [],
    resume: [{ interruptId: "made-up", status: "resolved", payload: { approved: true } }],
  });
  expect((await post(answer("chat-1"))).status).toBe(409);
  expect((await post(answer("another"))).status).toBe(404);
  expect(paid).toEqual([]);
  expect(client.pendingInterrupts).toHaveLength(1);
});

test("an answer that is sent again is accepted, and shows what followed it; another one says who decided and when [server.decisions.repeated]", async () => {
  const { pay, paid } = payTool();
  const { client, say, post } = open([pays, "That is all."], [pay]);
  await say("Pay 5.");
  const [asked] = client.pendingInterrupts;
  const answer = (approved: boolean) => ({
    threadId: "chat-1",
    runId: "r",
    messages: [],
    resume: [{ interruptId: asked?.id, status: "resolved", payload: { approved } }],
  });
  const told = async (response: Response): Promise<string> =>
    [...(await response.text()).matchAll(/"delta":"([^"]*)"|"type":"(RUN_[A-Z]+)"/gu)]
      .map(([, delta, type]) => delta ?? ` ${type} `)
      .join("");
  const first = await told(await post(answer(true)));
  const again = await post(answer(true));
  expect(again.status).toBe(200);
  expect([first, await told(again)]).toEqual(Array.from({ length: 2 }, () => expect.stringContaining("That is all.")));
  const refused = await post(answer(false));
  expect(refused.status).toBe(409);
  const { error } = (await refused.json()) as { readonly error: { readonly code: string; readonly message: string } };
  expect(error.code).toBe("DECISION_USED");
  expect(error.message).toMatch(/decided before as "approve" .*at \d{4}-/u);
  expect(paid).toEqual([5]);
});

test("answers to several runs of a thread are accepted again in one message, and each journal is read once [server.decisions.repeated]", async () => {
  const { pay, paid } = payTool();
  const { post, agent } = open([pays, "First.", pays, "Second."], [pay]);
  const inspect = vi.spyOn(agent, "inspect");
  const interruptions = vi.spyOn(agent, "interruptions");
  const ids: string[] = [];
  const resume = (...given: readonly string[]) =>
    post({
      threadId: "chat-1",
      runId: "r",
      messages: [],
      resume: given.map((interruptId) => ({ interruptId, status: "resolved", payload: { approved: true } })),
    });
  for (const answer of ["First.", "Second."]) {
    const asked = await agent.run("Pay 5.", { sessionId: "chat-1" });
    ids.push(...asked.interruptions.map(({ id }) => id));
    // The client's next message answers the question of the newest run, and repeats those about earlier runs.
    expect(await (await resume(...ids)).text()).toContain(answer);
  }
  expect(paid).toEqual([5, 5]);
  inspect.mockClear();
  interruptions.mockClear();
  for (const [given, answer] of [
    [ids, "Second."],
    [ids.slice(0, 1), "First."],
  ] as const) {
    const again = await resume(...given);
    expect([again.status, await again.text()]).toEqual([200, expect.stringContaining(answer)]);
  }
  // Each message reads both runs once for its answers, and the stream reads the run that it shows.
  expect([inspect.mock.calls.length, interruptions.mock.calls.length]).toEqual([6, 0]);
  const unknown = await resume(...ids, "no-question");
  expect([unknown.status, paid]).toEqual([409, [5, 5]]);
});

test("the journal gives the same events as the live run", async () => {
  const { pay } = payTool();
  const { client, say, agent, store, seen } = open([pays, "That is all."], [pay]);
  await say("Pay 5.");
  const [run] = await store.listRuns({});
  const { events } = await agent.inspect(run?.id ?? "");
  const encoder = agUiEncoder({ runId: run?.id ?? "", client: { threadId: "chat-1", runId: "x", messages: [] } });
  const replayed = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()];
  const joined = (all: readonly AGUIEvent[]): string =>
    all.flatMap((event) => ("delta" in event && typeof event.delta === "string" ? [event.delta] : [])).join("");
  expect(joined(replayed)).toBe(joined(seen));
  expect(replayed.at(-1)).toMatchObject({ outcome: { type: "interrupt" } });
  expect(client.messages).toHaveLength(3);
});
