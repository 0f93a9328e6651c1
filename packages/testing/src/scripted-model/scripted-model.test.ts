import { ModelApiError, ModelConnectionError, type ModelRequest } from "@bailiwick/core";
import {
  collectChunks,
  finishedResponse,
  ScriptFaultError,
  scriptedModel,
  type ScriptedModel,
} from "@bailiwick/testing";
import { describe, expect, test } from "vitest";

const ask = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ id: "u", role: "user", content: text }],
  tools: [{ type: "function", name: "add", description: "Adds.", inputSchema: { type: "object" } }],
  ...more,
});
const thrown = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("a model that follows a script [feature:S160]", () => {
  test("a scripted model answers with its steps in order, whole or streamed, and records the requests", async () => {
    const step = { text: "Let me see.", toolCalls: [{ id: "c1", name: "add", arguments: { a: 1, b: 2 } }] };
    const model = scriptedModel([step, step, "It is 3."], { provider: "acme", modelId: "m1" });
    const whole = await model.generate(ask("1 + 2?"));
    const { chunks, error } = await collectChunks(model.stream(ask("And again?")));
    expect(error).toBeUndefined();
    const streamed = finishedResponse(chunks);
    for (const { message, finishReason } of [whole, streamed]) {
      expect([message.content[0], finishReason]).toEqual([{ type: "text", text: "Let me see." }, "tool_calls"]);
      expect(message.toolCalls).toMatchObject([
        { id: "c1", name: "add", arguments: '{"a":1,"b":2}', input: { a: 1, b: 2 } },
      ]);
      expect(message.provenance).toMatchObject({ provider: "acme", model: "m1" });
    }
    expect(streamed.usage.totalTokens).toBeGreaterThan(0);
    const written = chunks.flatMap((chunk) => (chunk.type === "tool_call_delta" ? [chunk.argumentsDelta] : []));
    expect(written.join("")).toBe('{"a":1,"b":2}');
    expect((await model.generate(ask("So?"))).message.content).toMatchObject([{ type: "text", text: "It is 3." }]);
    expect(model.requests.map(({ messages }) => messages[0]?.content)).toEqual(["1 + 2?", "And again?", "So?"]);
    expect([model.calls, model.chunksSent]).toEqual([{ generate: 2, stream: 1 }, chunks.length]);
  });

  test("a function answers by the request, in one form for every wire", async () => {
    const model = scriptedModel(({ lastUserText, tools, turn }) => `${turn}: ${lastUserText} (${tools.length} tools)`);
    expect((await model.generate(ask("Hello."))).message.content).toMatchObject([{ text: "0: Hello. (1 tools)" }]);
    expect((await model.generate(ask("Bye."))).message.content).toMatchObject([{ text: "1: Bye. (1 tools)" }]);
  });

  test("fails as a vendor does: with a status, with a cut stream, and not at all once it is aborted", async () => {
    const model = scriptedModel([
      { faults: { error: { status: 429, retryAfterSeconds: 2 } } },
      { text: "Half an answer.", faults: { cutAfterEvents: 2 } },
      { text: "Never.", faults: { hangAfterEvents: 0 } },
    ]);
    expect(await thrown(model.generate(ask("a")))).toMatchObject({ status: 429, retryable: true, retryAfterMs: 2_000 });
    const { error } = await collectChunks(model.stream(ask("b")));
    expect(error).toBeInstanceOf(ModelConnectionError);
    const controller = new AbortController();
    const hanging = thrown(model.generate(ask("c", { signal: controller.signal })));
    controller.abort(new Error("enough"));
    expect(await hanging).toMatchObject({ code: "MODEL_ABORTED" });
    expect(model.aborted).toBe(1);
  });

  test("an error names the script's problem: used up, or a contradictory step", async () => {
    const model = scriptedModel(["Only this."]);
    await model.generate(ask("a"));
    const over = (await thrown(model.generate(ask("b")))) as Error;
    expect(ModelApiError.isInstance(over) ? over.message : over.message).toContain("script");
    let invalid: unknown;
    try {
      scriptedModel([{ text: "a", parts: [{ type: "text", text: "b" }] }]);
    } catch (error) {
      invalid = error;
    }
    expect(invalid).toBeInstanceOf(ScriptFaultError);
    expect(invalid).toMatchObject({ code: "SCRIPT_INVALID" });
  });

  test.each([
    [{ txt: "Hello." }, `A step has no "txt". Known: text`],
    [{ faults: { hang: true } }, `The faults of a step have no "hang". Known: delayMs`],
    [{ usage: { promptTokens: 3 } }, `The usage of a step has no "promptTokens". Known: inputTokens`],
    [{ toolCalls: [{ name: "add", args: {} }] }, `A tool call has no "args". Known: name, arguments`],
  ])(
    "an unknown field, %j, is refused: it would be ignored, and the test would prove something else",
    (step, message) => {
      expect(() => scriptedModel([step as object])).toThrow(message);
    },
  );

  test("an unknown option is refused", () => {
    expect(() => scriptedModel([], { model: "x" } as object)).toThrow(
      `"model" is not an option of scriptedModel() (did you mean "modelId"?)`,
    );
  });
});

test("the planner gets no listed step and reads that nothing is asked for, unless the next step is its answer", async () => {
  const planner: ModelRequest = {
    messages: [
      { id: "planner:system", role: "system", content: "Plan." },
      { id: "planner:prompt", role: "user", content: "{}" },
    ],
  };
  const asked: ModelRequest = { messages: [{ id: "m", role: "user", content: "Hello." }] };
  const text = async (model: ScriptedModel, request: ModelRequest): Promise<unknown> =>
    (await model.generate(request)).message.content;
  const plan = '{"asked":true,"quote":"Send it."}';
  const model = scriptedModel(["Hello.", plan, "Done."]);
  expect(await text(model, planner)).toEqual([{ type: "text", text: '{"asked":false,"quote":""}' }]);
  expect(await text(model, asked)).toEqual([{ type: "text", text: "Hello." }]);
  expect(await text(model, planner)).toEqual([{ type: "text", text: plan }]);
  expect(await text(model, asked)).toEqual([{ type: "text", text: "Done." }]);
  const scripted = scriptedModel(({ messages }) => `${messages.length} messages`);
  expect(await text(scripted, planner)).toEqual([{ type: "text", text: "1 messages" }]);
});

test("a fault in the middle of an answer is a fault of the whole answer without a stream", async () => {
  const model = scriptedModel([
    { text: "one two", faults: { errorFrame: { afterEvents: 1, error: { status: 500 } } } },
    { text: "one two", faults: { hangAfterEvents: 1 } },
  ]);
  expect(await thrown(model.generate(ask("a")))).toMatchObject({ status: 500 });
  const controller = new AbortController();
  const hanging = thrown(model.generate(ask("b", { signal: controller.signal })));
  controller.abort(new Error("enough"));
  expect(await hanging).toMatchObject({ code: "MODEL_ABORTED" });
});

test("a scripted overflow is the overflow of each wire's adapter, and excludes another error", async () => {
  const model = scriptedModel([{ faults: { contextOverflow: true } }, "Fits."]);
  const request: ModelRequest = { messages: [{ id: "m", role: "user", content: "Hello." }] };
  await expect(model.generate(request)).rejects.toMatchObject({ code: "CONTEXT_OVERFLOW" });
  expect((await model.generate(request)).message.content).toEqual([{ type: "text", text: "Fits." }]);
  expect(() => scriptedModel([{ faults: { contextOverflow: true, error: { status: 429 } } }])).toThrow("keep one");
  expect(() => scriptedModel([{ faults: { contextOverflow: true, omitTerminal: true } }])).toThrow("contextOverflow");
});
