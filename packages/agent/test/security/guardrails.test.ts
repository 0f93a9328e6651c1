import {
  eventBus,
  memorySessions,
  memoryStore,
  type GuardrailResult,
  type OutputGuardrail,
  type RunEvent,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { add, addCall, collect, counter, failureOf, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet } as const;
const texts = (events: readonly RunEvent[]): string =>
  events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");
const block: OutputGuardrail = { name: "block", validate: () => ({ pass: false, reason: "no" }) };

test("an input guardrail passes, blocks, or replaces the text that the model reads [guardrails.input] [messages.guardrail]", async () => {
  const model = scriptedModel(["x"]);
  await new Agent({
    ...base,
    model,
    guardrails: {
      input: [
        {
          name: "mask",
          validate: (input) => ({
            pass: true,
            replace: typeof input === "string" ? input.replace("secret", "***") : input,
          }),
        },
      ],
    },
  }).run("my secret");
  expect(model.requests[0]?.messages[0]?.content).toBe("my ***");
  const strict = new Agent({
    ...base,
    model: scriptedModel(["Done."]),
    guardrails: {
      input: [
        {
          name: "words",
          validate: (input) => (input === "fine" ? { pass: true } : { pass: false, reason: "not that word" }),
        },
      ],
    },
  });
  expect((await strict.run("fine")).text).toBe("Done.");
  await expect(strict.run("else")).rejects.toThrow("not that word");
});

test("input guardrails run before the model [guardrails.input.before-model]", async () => {
  const order: string[] = [];
  const model = scriptedModel(() => (order.push("model"), "x"));
  await new Agent({
    ...base,
    model,
    guardrails: {
      input: [
        {
          name: "slow",
          validate: async () => {
            await new Promise((resolve) => setTimeout(resolve, 10));
            order.push("guardrail");
            return { pass: true };
          },
        },
      ],
    },
  }).run("go");
  expect(order).toEqual(["guardrail", "model"]);
});

test("tools wait for a guardrail that runs in parallel with the model, streamed or not [guardrails.input.parallel] [field-bug:PB-guardrails-01] [field-bug:PB-guardrails-03]", async () => {
  const { write, ran } = counter();
  const order: string[] = [];
  const make = (afterMs: number, modelMs: number) =>
    new Agent({
      ...base,
      model: scriptedModel(() => (order.push("model"), { ...writeCall(), faults: { delayMs: modelMs } })),
      tools: [write],
      guardrails: {
        input: [
          {
            name: "beside",
            parallel: true,
            validate: async (): Promise<GuardrailResult<never>> => {
              const before = order.length;
              await expect.poll(() => order.slice(before), { interval: 1 }).toContain("model");
              await new Promise((resolve) => setTimeout(resolve, afterMs));
              order.push("verdict");
              return { pass: false, reason: "no" };
            },
          },
        ],
      },
    });
  for (const [afterMs, modelMs] of [
    [5, 20],
    [30, 1],
  ] as const) {
    expect(await failureOf(make(afterMs, modelMs).run("go"))).toMatchObject({ code: "GUARDRAIL_TRIPPED" });
    expect((await collect(make(afterMs, modelMs).stream("go"))).error).toMatchObject({ code: "GUARDRAIL_TRIPPED" });
  }
  expect(order.slice(0, 2)).toEqual(["model", "verdict"]);
  expect(ran).toEqual([]);
});

test("an output guardrail blocks or replaces the answer [guardrails.output]", async () => {
  expect(
    await failureOf(new Agent({ ...base, model: scriptedModel(["bad"]), guardrails: { output: [block] } }).run("go")),
  ).toMatchObject({ code: "GUARDRAIL_TRIPPED", output: { text: "" } });
  const replace: OutputGuardrail = {
    name: "replace",
    validate: (output) => ({ pass: true, replace: output.text.toUpperCase() }),
  };
  const handle = new Agent({ ...base, model: scriptedModel(["quiet"]), guardrails: { output: [replace] } }).stream(
    "go",
  );
  const { events } = await collect(handle);
  expect((await handle.result).text).toBe("QUIET");
  expect(texts(events)).toBe("QUIET");
});

test("tool guardrails see the arguments and the results [guardrails.tool-input] [guardrails.tool-output]", async () => {
  const { write, ran } = counter();
  const model = scriptedModel([
    {
      toolCalls: [
        { name: "write", arguments: { line: "bad" } },
        { name: "write", arguments: { line: "mask" } },
      ],
    },
    "Done.",
  ]);
  const agent = new Agent({
    ...base,
    model,
    tools: [write],
    guardrails: {
      toolInput: [
        {
          name: "in",
          validate: ({ input }) =>
            (input as { line: string }).line === "bad"
              ? { pass: false, reason: "bad line" }
              : { pass: true, replace: { line: "masked" } },
        },
      ],
      toolOutput: [
        { name: "out", validate: ({ content }) => ({ pass: true, replace: `[${JSON.stringify(content)}]` }) },
      ],
    },
  });
  const result = await agent.run("go");
  expect(ran).toEqual(["masked"]);
  expect(result.toolCalls[0]).toMatchObject({ isError: true, error: { kind: "policy_denied" } });
  expect(model.requests[1]?.messages.at(-1)?.content).toBe('["wrote masked"]');
});

test("a guardrail that throws blocks [hooks.deciding.fail-closed]", async () => {
  const thrower = {
    name: "thrower",
    validate: () => {
      throw new Error("broken");
    },
  };
  for (const guardrails of [{ input: [thrower] }, { output: [thrower] }]) {
    expect(await failureOf(new Agent({ ...base, model: scriptedModel(["x"]), guardrails }).run("go"))).toMatchObject({
      code: "GUARDRAIL_TRIPPED",
    });
  }
});

test.each([undefined, null, true, "pass", {}, { pass: "yes" }])(
  "a guardrail that returns an invalid verdict (%j) blocks [hooks.deciding.fail-closed]",
  async (given) => {
    const none = { name: "none", validate: () => given as never };
    for (const guardrails of [{ input: [none] }, { output: [none] }]) {
      expect(await failureOf(new Agent({ ...base, model: scriptedModel(["x"]), guardrails }).run("go"))).toMatchObject({
        name: "GuardrailTrippedError",
      });
    }
    for (const guardrails of [{ toolInput: [none] }, { toolOutput: [none] }]) {
      const model = scriptedModel([addCall(), "Done."]);
      const result = await new Agent({ ...base, model, tools: [add], guardrails }).run("go");
      expect(result.toolCalls).toMatchObject([
        { isError: true, error: { kind: "policy_denied", code: "GUARDRAIL_BLOCKED" } },
      ]);
    }
  },
);

test("a streamed answer is held until the verdict [guardrails.stream-holds]", async () => {
  const blocked = await collect(
    new Agent({ ...base, model: scriptedModel(["bad words here"]), guardrails: { output: [block] } }).stream("go"),
  );
  expect(texts(blocked.events)).toBe("");
  expect(blocked.error).toMatchObject({ code: "GUARDRAIL_TRIPPED" });
  let shownBefore: string | undefined;
  const seen: RunEvent[] = [];
  const look: OutputGuardrail = { name: "look", validate: () => ((shownBefore = texts(seen)), { pass: true }) };
  const model = scriptedModel([{ ...addCall(), text: undefined }, "good words here"]);
  for await (const event of new Agent({ ...base, model, tools: [add], guardrails: { output: [look] } }).stream("go"))
    seen.push(event);
  expect(shownBefore).toBe("");
  expect(texts(seen)).toBe("good words here");
});

test("sliding windows are checked while the answer streams, and released 200 characters later [guardrails.validate-chunk]", async () => {
  const word = "word ".repeat(20);
  const windows: string[] = [];
  const chunked = (limit: number): OutputGuardrail => ({
    name: "chunked",
    validate: () => ({ pass: true }),
    validateChunk: (window) => (
      windows.push(window),
      windows.length > limit ? { pass: false, reason: "no" } : { pass: true }
    ),
  });
  const answer = { deltas: Array.from({ length: 20 }, () => word) };
  const all = await collect(
    new Agent({ ...base, model: scriptedModel([answer]), guardrails: { output: [chunked(99)] } }).stream("go"),
  );
  expect(texts(all.events)).toBe(word.repeat(20));
  expect(windows.length).toBeGreaterThan(2);
  windows.length = 0;
  const cut = await collect(
    new Agent({ ...base, model: scriptedModel([answer]), guardrails: { output: [chunked(2)] } }).stream("go"),
  );
  expect(cut.error).toMatchObject({ code: "GUARDRAIL_TRIPPED" });
  expect(texts(cut.events).length).toBeGreaterThan(0);
  expect(texts(cut.events).length).toBeLessThanOrEqual(word.length * 20 - 200);
  expect(cut.events.some(({ type }) => type === "guardrail.retracted")).toBe(true);
});

test("text is shown at once and retracted on a block; the session gets a neutral marker, the journal the answer [guardrails.after]", async () => {
  const store = memoryStore();
  const session = memorySessions();
  const agent = new Agent({
    ...base,
    model: scriptedModel(["bad words"]),
    guardrails: { output: [block] },
    outputGuardrails: "after",
    store,
    session,
  });
  const handle = agent.stream("go", { sessionId: "s" });
  const { events } = await collect(handle);
  expect(texts(events)).toBe("bad words");
  const types = events.map(({ type }) => type);
  expect(types.indexOf("guardrail.retracted")).toBeLessThan(types.indexOf("run.end"));
  expect(types).toContain("guardrail.retracted");
  const kept = JSON.stringify((await session.load("s")).messages);
  expect(kept).not.toContain("bad words");
  expect(kept).toContain("withheld");
  expect(JSON.stringify((await agent.inspect(handle.runId)).events)).toContain("bad words");
});

test("an observer sees a held answer only after the verdict, and the journal keeps withheld text [guardrails.stream-holds.records]", async () => {
  const cases: readonly [GuardrailResult<string>, string][] = [
    [{ pass: true }, "the answer"],
    [{ pass: true, replace: "another" }, "another"],
    [{ pass: false, reason: "no" }, ""],
  ];
  for (const [verdict, shown] of cases) {
    const store = memoryStore();
    const seen: RunEvent[] = [];
    let before: string | undefined;
    const guardrail: OutputGuardrail = { name: "g", validate: () => ((before = JSON.stringify(seen)), verdict) };
    const bus = eventBus();
    bus.on("model.result", (event) => void seen.push(event));
    const agent = new Agent({
      ...base,
      eventBus: bus,
      store,
      model: scriptedModel([addCall(), "the answer"]),
      tools: [add],
      guardrails: { output: [guardrail] },
    });
    const handle = agent.stream("go", { onToken: (_name, { event }) => void seen.push(event) });
    const { events } = await collect(handle);
    expect(before).toContain("tool_call");
    expect(before).not.toContain("the answer");
    const text = (of: readonly RunEvent[]): unknown[] =>
      of.flatMap((event) =>
        event.type === "model.result" ? event.message.content.filter(({ type }) => type === "text") : [],
      );
    const expected = shown === "" ? [] : [{ type: "text", text: shown }];
    expect(text(events)).toEqual(expected);
    expect(JSON.stringify(events).includes("the answer")).toBe(shown === "the answer");
    // Every record is emitted once and in order, even though the answer was held.
    const journal = (await agent.inspect(handle.runId)).events;
    expect(events.flatMap((event) => ("seq" in event ? [event.seq] : []))).toEqual(journal.map(({ seq }) => seq));
    expect(text(journal)).toEqual([{ type: "text", text: "the answer" }]);
  }
});

test("the text of a refusal is held for its verdict too, and a failed answer's text is not shown [guardrails.stream-holds.refused]", async () => {
  // A script cannot end an answer as failed; a vendor can.
  const make = (finish: string) =>
    new Agent({
      ...base,
      model: scriptedModel([{ text: "bad words", finish: finish as "content_filter" }]),
      guardrails: { output: [block] },
    });
  const refused = await collect(make("content_filter").stream("go"));
  expect(refused.error).toMatchObject({ code: "GUARDRAIL_TRIPPED" });
  const failed = await collect(make("error").stream("go"));
  expect(failed.error).toBeDefined();
  for (const { events } of [refused, failed]) expect(texts(events)).toBe("");
});

test("the text of a refusal that passes is shown with the verdict, and a replaced one as replaced [guardrails.stream-holds.refused]", async () => {
  for (const [verdict, shown] of [
    [{ pass: true }, "I cannot."],
    [{ pass: true, replace: "Ask a person." }, "Ask a person."],
  ] as const) {
    let before = "nothing";
    const seen: RunEvent[] = [];
    const look: OutputGuardrail = { name: "g", validate: () => ((before = texts(seen)), verdict) };
    const model = scriptedModel([{ text: "I cannot.", finish: "content_filter" }]);
    for await (const event of new Agent({ ...base, model, guardrails: { output: [look] } }).stream("go"))
      seen.push(event);
    expect([before, texts(seen)]).toEqual(["", shown]);
  }
});

test("an answer replaced after some windows were shown is shown once: its rest, or in full after a retraction [guardrails.validate-chunk.replaced]", async () => {
  const answer = "word ".repeat(300).trim();
  const shownWith = async (replace: string): Promise<{ readonly shown: string; readonly retracted: boolean }> => {
    const guardrail: OutputGuardrail = {
      name: "g",
      validate: () => ({ pass: true, replace }),
      validateChunk: () => ({ pass: true }),
    };
    const { events } = await collect(
      new Agent({ ...base, model: scriptedModel([answer]), guardrails: { output: [guardrail] } }).stream("go"),
    );
    const retraction = events.findIndex(({ type }) => type === "guardrail.retracted");
    return { shown: texts(events.slice(retraction + 1)), retracted: retraction >= 0 };
  };
  expect(await shownWith(`${answer}!`)).toEqual({ shown: `${answer}!`, retracted: false });
  expect(await shownWith("Another.")).toEqual({ shown: "Another.", retracted: true });
});

test("a guardrail that returns no verdict fails with an error with an example verdict, and the model is not called [guardrails.input]", async () => {
  const model = scriptedModel(["x"]);
  const guardrails = { input: [{ name: "g", validate: () => ({ ok: true }) as unknown as GuardrailResult<never> }] };
  const error = await failureOf(new Agent({ ...base, model, guardrails }).run("go"));
  expect((error as Error).message).toContain(
    `"g" gave no verdict and therefore blocks: it has to return { pass: true }`,
  );
  expect(model.requests).toEqual([]);
});

test("a block without a reason names the guardrail [guardrails.output]", async () => {
  const guardrails = { output: [{ name: "g", validate: () => ({ pass: false }) as GuardrailResult<never> }] };
  const error = await failureOf(new Agent({ ...base, model: scriptedModel(["x"]), guardrails }).run("go"));
  expect((error as Error).message).toContain(`"g" gave no reason.`);
});
