import type { ModelProvider, RunEvent } from "@bailiwick/core";
import { openai } from "@bailiwick/providers-openai";
import { scriptedModel, type ScriptStep } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { add, collect, counter, failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off", retry: { initialDelayMs: 1 } } as const;

/** The parts that a page shows at the end: a restarted turn takes back what it showed. */
function pageOf(events: readonly RunEvent[]): { readonly text: string; readonly calls: readonly string[] } {
  const turns: { text: string; calls: string[] }[] = [];
  for (const event of events) {
    if (event.type === "model.intent" && event.attempt === 1) turns.push({ text: "", calls: [] });
    const turn = turns.at(-1);
    if (turn === undefined) continue;
    if (event.type === "turn.restarted") turns[turns.length - 1] = { text: "", calls: [] };
    if (event.type === "text") turn.text += event.text;
    if (event.type === "tool_call_start") turn.calls.push(event.toolCall.id);
  }
  return { text: turns.map(({ text }) => text).join(""), calls: turns.flatMap(({ calls }) => calls) };
}

const asks: ScriptStep = {
  reasoning: "Hm, hm.",
  text: "I write it down.",
  toolCalls: [
    { id: "call_1", name: "write", arguments: { line: "a" } },
    { id: "call_2", name: "write", arguments: { line: "b" } },
  ],
};

test("a turn whose stream is cut at any event is asked again: pages drop the shown part, and each call runs once [providers.rule.fallback.visible] [events.turn-restarted]", async () => {
  const chunks = await collect(
    new Agent({ ...base, model: scriptedModel([asks]), tools: [counter().write] }).stream("?"),
  );
  const count = chunks.events.filter(({ type }) => /^(text|thinking|tool_call_|finish)/.test(type)).length;
  expect(count).toBeGreaterThan(8);
  const faults = Array.from({ length: count }, (_, events) => [
    { cutAfterEvents: events },
    { errorFrame: { afterEvents: events, error: { status: 529 } } },
    { errorFrame: { afterEvents: events, error: { status: 400, code: "tool_use_failed" } } },
  ]).flat();
  for (const fault of faults) {
    const { write, ran } = counter();
    const model = scriptedModel([{ ...asks, faults: fault }, asks, "Done."]);
    const { events, error } = await collect(new Agent({ ...base, model, tools: [write] }).stream("Write."));
    expect(error).toBeUndefined();
    expect(ran).toEqual(["a", "b"]);
    expect(pageOf(events)).toEqual({ text: "I write it down.Done.", calls: ["call_1", "call_2"] });
    const restarts = events.filter(({ type }) => type === "turn.restarted");
    const first = events.findIndex((event) => event.type === "model.intent" && event.attempt === 2);
    const shown = events.slice(0, first).some(({ type }) => /^(text|thinking|tool_call_)/.test(type));
    expect(restarts).toHaveLength(shown ? 1 : 0);
    expect(model.requests).toHaveLength(3);
  }
});

test("the next model of the fallback answers after output of the first was shown [providers.rule.fallback.visible]", async () => {
  const cut = scriptedModel([{ text: "one two three", faults: { cutAfterEvents: 2 } }]);
  const { events, error } = await collect(
    new Agent({ ...base, retry: { maxRetries: 0 }, model: cut, fallback: [scriptedModel(["other"])] }).stream("go"),
  );
  expect(error).toBeUndefined();
  expect(pageOf(events).text).toBe("other");
  expect(events.find(({ type }) => type === "turn.restarted")).toMatchObject({
    turn: 1,
    attempt: 1,
    error: { code: "MODEL_CONNECTION_ERROR" },
  });
});

test("tokens that the vendor counted for a cut answer are part of the usage and the cost [events.turn-restarted]", async () => {
  const frame = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
  const chunk = (delta: object, more: object = {}): string =>
    frame({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta }], ...more });
  const usage = { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010 };
  const bodies = [
    chunk({ content: "one" }, { usage }),
    `${chunk({ content: "two" })}${frame({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage })}data: [DONE]\n\n`,
  ];
  const model = openai("gpt-5.5", {
    api: "chat",
    apiKey: "k",
    baseURL: "http://127.0.0.1:1",
    fetch: () => Promise.resolve(new Response(bodies.shift(), { headers: { "content-type": "text/event-stream" } })),
  });
  const handle = new Agent({ ...base, model }).stream("go");
  const { events } = await collect(handle);
  const output = await handle.result;
  expect([output.text, output.usage.inputTokens, output.metrics.retries]).toEqual(["two", 2_000, 1]);
  const costs = events.flatMap((event) => (event.type === "model.result" ? [[event.purpose, event.costUsd]] : []));
  expect(costs).toEqual([
    ["restarted", costs[1]?.[1]],
    [undefined, expect.any(Number)],
  ]);
});

/** An answer of a wire, whole or streamed, without any content. */
const emptyBodies = {
  chat: {
    id: "c",
    model: "m",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "" } }],
  },
  reasoned: {
    id: "c",
    model: "m",
    choices: [
      { index: 0, finish_reason: "stop", message: { role: "assistant", content: "", reasoning_content: "Hm." } },
    ],
  },
  responses: { id: "r", object: "response", status: "completed", model: "m", output: [] },
} as const;

const answering = (wire: keyof typeof emptyBodies, requests: unknown[]): ModelProvider =>
  openai("gpt-5.5", {
    api: wire === "responses" ? "responses" : "chat",
    apiKey: "k",
    baseURL: "http://127.0.0.1:1",
    fetch: (request) => {
      requests.push(request);
      return Promise.resolve(Response.json(emptyBodies[wire]));
    },
  });

test("an answer without text and calls is asked for again, and then fails, on each wire [providers.rule.empty-answer]", async () => {
  for (const wire of ["chat", "reasoned", "responses"] as const) {
    const requests: unknown[] = [];
    const agent = new Agent({ ...base, retry: { maxRetries: 2, initialDelayMs: 1 }, model: answering(wire, requests) });
    expect(await failureOf(agent.run("go"))).toMatchObject({ code: "MODEL_RESPONSE_INVALID", retryable: true });
    expect(requests).toHaveLength(3);
  }
  for (const step of [{ text: "" }, { reasoning: "Hm." }, { text: " \n" }] as const) {
    const model = scriptedModel([step, "Hello."]);
    expect((await new Agent({ ...base, model }).run("go")).text).toBe("Hello.");
  }
});

test("a model that has nothing to add to the results of its tools is asked once more, and the run completes with a warning [providers.rule.empty-answer.after-results]", async () => {
  const calls: ScriptStep = { toolCalls: [{ name: "add", arguments: { a: 1, b: 2 } }] };
  for (const [maxRetries, requests] of [
    [0, 2],
    [3, 3],
  ] as const) {
    const model = scriptedModel([calls, { text: "" }, { text: "" }]);
    const retry = { maxRetries, initialDelayMs: 1 };
    const output = await new Agent({ ...base, retry, model, tools: [add] }).run("go");
    expect([output.status, output.text]).toEqual(["completed", ""]);
    expect(output.warnings.map(({ code }) => code)).toContain("answer_empty");
    expect(model.requests).toHaveLength(requests);
  }
});
