import { pipeline } from "../../src/compose.ts";
import { defaultHasher, systemClock } from "@bailiwick/core/extension";
import { handoff, memoryStore, readJournal, tool, type Handoff, type RunOutput } from "@bailiwick/core";
import { scriptedModel, type ScriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent, type Runnable } from "../../src/index.ts";

/** Everything happens at the same time here: the order of records decides, not their time. */
const clock = { ...systemClock, now: () => 1_000 };
const base = { logger: quiet, flow: "off", clock } as const;
const order = tool({
  name: "order",
  description: "Reads an order.",
  inputSchema: z.object({ id: z.string() }),
  sideEffectClass: "read-only",
  execute: ({ id }) => `order ${id} cost 12 euros`,
});
const given = [
  { role: "user", content: "hello" },
  { role: "assistant", content: [{ type: "text", text: "hi", untrusted: false }] },
] as const;
const turn = {
  text: "One moment.",
  toolCalls: [
    { id: "t1", name: "transfer_to_refunds", arguments: { reason: "money" } },
    { id: "o1", name: "order", arguments: { id: "7" } },
    { id: "t2", name: "transfer_to_sales", arguments: {} },
  ],
};

/** The messages of each request as lines, without ids. */
function shown({ requests }: ScriptedModel): unknown {
  return requests.map(({ messages }) =>
    messages
      .filter(({ role }) => role !== "system")
      .map((message) => {
        const { content } = message;
        const text =
          typeof content === "string"
            ? content
            : content.map((part) => (part.type === "text" ? part.text : `<${part.type}>`)).join("");
        return message.role === "tool"
          ? `tool ${message.toolCallId}: ${text}`
          : message.role === "assistant"
            ? `assistant: ${text} ${message.toolCalls.map(({ id }) => id).join(",")}`
            : `${message.role}: ${text}`;
      }),
  );
}

const expected = [
  [
    "user: hello",
    "assistant: hi ",
    "user: I want money",
    "user: A note for one turn.",
    "assistant: One moment.<tool_call><tool_call><tool_call> t1,o1,t2",
    'tool t1: The conversation was handed over to "refunds", who answers from here on.',
    "tool o1: order 7 cost 12 euros",
    "tool t2: Not run: the conversation was handed over in the same turn.",
  ],
];

interface Team {
  readonly desk: Agent;
  readonly refunds: ScriptedModel;
}

function team(store: ReturnType<typeof memoryStore>, approval?: "transfer_to_refunds"): Team {
  const refunds = scriptedModel(["You get 12 euros."]);
  const desk = new Agent({
    ...base,
    name: "desk",
    store,
    model: scriptedModel([turn]),
    tools: [order],
    handoffs: [
      new Agent({ ...base, name: "refunds", model: refunds }),
      new Agent({ ...base, name: "sales", model: scriptedModel([]) }),
    ],
    loopHooks: {
      beforeLLMCall: (messages) => [...messages, { id: "n", role: "user", content: "A note for one turn." }],
    },
    ...(approval !== undefined && { approval: { policy: [approval] } }),
  });
  return { desk, refunds };
}

test("after a handoff the other agent reads the conversation in order, with one result per call, including the handoff [composition.handoff.history]", async () => {
  const { desk, refunds } = team(memoryStore());
  const output = await desk.run("I want money", { messages: given });
  expect(output).toMatchObject({ status: "completed", text: "You get 12 euros.", agentName: "refunds" });
  expect(shown(refunds)).toEqual(expected);
});

test("a handoff sends the same request live, after a resume in another process, and in a fork [composition.handoff.history]", async () => {
  const store = memoryStore();
  const asked = await team(store, "transfer_to_refunds").desk.run("I want money", { messages: given });
  expect(asked.status).toBe("suspended");
  const next = team(store, "transfer_to_refunds");
  const resumed = await next.desk.resume(
    asked.runId,
    asked.interruptions.map((one) => one.approve()),
  );
  expect(resumed.text).toBe("You get 12 euros.");
  expect(shown(next.refunds)).toEqual(expected);

  const whole = team(store);
  const { runId } = await whole.desk.run("I want money", { messages: given });
  const answered = (await readJournal(store, runId, { hasher: defaultHasher() })).find(
    ({ type }) => type === "model.result",
  );
  const forked = team(store);
  const fork = await forked.desk.fork(runId, { atSeq: answered?.seq ?? 0 });
  await forked.desk.resume(fork.runId);
  expect(shown(forked.refunds)).toEqual(expected);
});

async function handedTo(target: (model: ScriptedModel) => Runnable | Handoff): Promise<[RunOutput, unknown]> {
  const model = scriptedModel(["Done."]);
  const desk = new Agent({
    ...base,
    name: "desk",
    model: scriptedModel([turn]),
    tools: [order],
    handoffs: [target(model)],
  });
  const output = await desk.run("I want money", { messages: given });
  return [output, shown(model)];
}

test("a filter may shorten the conversation anywhere, and a composition adopts its question [composition.handoff.history]", async () => {
  const refunds = (model: ScriptedModel): Agent => new Agent({ ...base, name: "refunds", model });
  const [, last] = await handedTo((model) => handoff(refunds(model), { history: "last-message" }));
  expect(last).toEqual([["user: I want money"]]);
  const [, filtered] = await handedTo((model) =>
    handoff(refunds(model), { inputFilter: (messages) => messages.filter(({ role }) => role !== "tool").slice(2) }),
  );
  expect(filtered).toMatchObject([
    ["user: I want money", expect.stringMatching(/^assistant/u), ...Array(3).fill(expect.stringMatching(/^tool/u))],
  ]);
  const [composed, asked] = await handedTo((model) => ({
    ...handoff(pipeline({ name: "refunds" }, refunds(model))),
  }));
  expect(composed).toMatchObject({ status: "completed", text: "Done." });
  expect(asked).toEqual([["user: I want money"]]);
});

test("an input that repeats the last given message is read once, in its place [composition.handoff.history]", async () => {
  const model = scriptedModel(["Done."]);
  const input = { role: "user", id: "q", content: "What does order 7 cost?" } as const;
  const call = { id: "c1", name: "order", arguments: '{"id":"7"}' };
  await new Agent({ ...base, name: "a", model }).run(input, {
    messages: [
      ...given,
      input,
      {
        role: "assistant",
        id: "a1",
        content: [{ type: "tool_call", toolCallId: "c1" }],
        toolCalls: [call],
        finishReason: "tool_calls",
        provenance: { provider: "scripted", api: "in-process", model: "scripted-1" },
      },
      { role: "tool", id: "r1", toolCallId: "c1", toolName: "order", content: "12 euros" },
    ],
  });
  expect(shown(model)).toEqual([
    [
      "user: hello",
      "assistant: hi ",
      "user: What does order 7 cost?",
      "assistant: <tool_call> c1",
      expect.stringMatching(/^tool c1: <untrusted-content [^>]*>\n12 euros\n<\/untrusted-content>$/u),
    ],
  ]);
});
