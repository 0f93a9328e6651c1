import { collectChunks, finishedResponse, jsonAt } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { ended } from "./answers.fixture.ts";
import { look, user } from "./ask.fixture.ts";
import { googleOptions } from "./index.ts";
import { framed, replaying, whole, type Sent } from "./replay.fixture.ts";

const model = "gemini-3-pro";
const request = { messages: [user("Hi")], tools: [look] };
const chunk = (functionCall: object, more: object = {}): object => ({
  candidates: [{ content: { role: "model", parts: [{ functionCall, ...more }] } }],
});
const text = (jsonPath: string, stringValue: string, willContinue?: boolean): object => ({
  partialArgs: [{ jsonPath, stringValue, ...(willContinue === undefined ? {} : { willContinue }) }],
  willContinue: true,
});
const answered = (events: readonly object[]) => collectChunks(replaying(model, framed(events)).stream(request));

/** Two calls as Vertex AI streams them: a head with the signature, pieces by path, and an empty call as the end. */
const recorded = [
  chunk({ name: "look", willContinue: true }, { thoughtSignature: "sig==" }),
  chunk(text("$.id", "", true)),
  chunk(text("$.id", "4", true)),
  chunk(text("$.id", 'é"2', true)),
  chunk(text("$.id", "")),
  chunk({ partialArgs: [{ jsonPath: "$.days[0].open", boolValue: true }], willContinue: true }),
  chunk({ partialArgs: [{ jsonPath: "$.days[0]['from hour']", numberValue: 9.5 }], willContinue: true }),
  chunk({ partialArgs: [{ jsonPath: "$.note", nullValue: "NULL_VALUE" }], willContinue: true }),
  chunk({}),
  chunk({ name: "look", willContinue: true }),
  chunk({ partialArgs: [{ jsonPath: "$.id", stringValue: "7" }], willContinue: true }),
  chunk({}),
  ended("STOP"),
];
const first = { id: '4é"2', days: [{ open: true, "from hour": 9.5 }], note: null };

test("arguments that arrive in pieces are one call each, shown as they arrive [providers.google.argument-pieces]", async () => {
  const { chunks, error } = await answered(recorded);
  expect(error).toBeUndefined();
  const { message, finishReason } = finishedResponse(chunks);
  expect(finishReason).toBe("tool_calls");
  expect(message.toolCalls).toMatchObject([
    { name: "look", input: first, providerState: { signature: "sig==" } },
    { name: "look", input: { id: "7" } },
  ]);
  for (const { id, arguments: written } of message.toolCalls) {
    const deltas = chunks.flatMap((one) =>
      one.type === "tool_call_delta" && one.toolCallId === id ? [one.argumentsDelta] : [],
    );
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join("")).toBe(written);
    const kinds = chunks.flatMap((one) => (one.type === "tool_call_end" && one.toolCallId === id ? [one.type] : []));
    expect(kinds).toEqual(["tool_call_end"]);
  }
});

test("a call without its closing mark is complete if its last piece is marked as the last [providers.google.argument-pieces]", async () => {
  const piece = { name: "look", partialArgs: [{ jsonPath: "$.id", stringValue: "1" }] };
  const { chunks, error } = await answered([chunk(piece), ended("STOP")]);
  expect(error).toBeUndefined();
  expect(finishedResponse(chunks).message.toolCalls).toMatchObject([{ arguments: '{"id":"1"}' }]);
});

test("an incomplete call is never treated as a complete one [providers.google.argument-pieces] [providers.rule.argument-text.final]", async () => {
  const head = chunk({ name: "look", willContinue: true });
  const value = (argument: object) => chunk({ partialArgs: [argument], willContinue: true });
  const cases: readonly (readonly object[])[] = [
    [head, ended("STOP")],
    [head, chunk(text("$.id", "1", true)), ended("STOP")],
    [head, chunk(text("$.id", "1", true)), chunk({ name: "look", args: { id: "2" } }), ended("STOP")],
    [value({ jsonPath: "$.id", stringValue: "1" }), ended("STOP")],
    [head, value({ jsonPath: "$.id", bytesValue: "1" }), chunk({}), ended("STOP")],
    [head, value({ jsonPath: "id", stringValue: "1" }), chunk({}), ended("STOP")],
    [head, value({ jsonPath: "$.list[99999]", stringValue: "1" }), chunk({}), ended("STOP")],
    [head, chunk(text("$.id", "1")), value({ jsonPath: "$.id.of", stringValue: "1" }), chunk({}), ended("STOP")],
  ];
  for (const events of cases) {
    const { error, chunks } = await answered(events);
    expect(error, JSON.stringify(events)).toMatchObject({ code: "MODEL_RESPONSE_INVALID" });
    expect(chunks.some(({ type }) => type === "finish")).toBe(false);
    const calls = jsonAt(error, "partial", "message", "toolCalls") as readonly { readonly arguments: string }[];
    expect(calls.filter((call) => call.arguments !== '{"id":"2"}')).toEqual([]);
  }
});

test("a call truncated by the token limit does not finish as a tool call [providers.google.argument-pieces]", async () => {
  const { chunks } = await answered([
    chunk({ name: "look", willContinue: true }),
    chunk(text("$.id", "1", true)),
    ended("MAX_TOKENS"),
  ]);
  expect(finishedResponse(chunks)).toMatchObject({ finishReason: "length" });
});

test("an argument may have any name [providers.google.argument-pieces]", async () => {
  const { chunks } = await answered([
    chunk({ name: "look", willContinue: true }),
    chunk(text("$.__proto__.id", "1")),
    chunk({}),
    ended("STOP"),
  ]);
  expect(finishedResponse(chunks).message.toolCalls[0]?.arguments).toBe('{"__proto__":{"id":"1"}}');
  expect(({} as { id?: string }).id).toBeUndefined();
});

test("argument pieces are requested only on Vertex AI and only for streams [providers.google.argument-pieces]", async () => {
  const providerOptions = googleOptions({ streamFunctionCallArguments: true });
  const asked = async (modelId: string, vertexai: boolean) => {
    const sent: Sent[] = [];
    const made = replaying(modelId, framed([ended("STOP", [{ text: "ok" }])]), {}, sent, { vertexai });
    const { chunks } = await collectChunks(made.stream({ ...request, providerOptions }));
    const config = jsonAt(sent[0]?.body, "toolConfig", "functionCallingConfig", "streamFunctionCallArguments");
    return [config, finishedResponse(chunks).warnings?.map(({ subject }) => subject)];
  };
  expect(await asked(model, true)).toEqual([true, []]);
  expect(await asked(model, false)).toEqual([undefined, ["streamFunctionCallArguments"]]);
  expect(await asked("gemini-2.5-flash", true)).toEqual([undefined, ["streamFunctionCallArguments"]]);
  const sent: Sent[] = [];
  const made = replaying(model, whole(ended("STOP", [{ text: "ok" }])), {}, sent, { vertexai: true });
  await made.generate({ ...request, providerOptions });
  expect(JSON.stringify(sent[0]?.body)).not.toContain("streamFunctionCallArguments");
});
