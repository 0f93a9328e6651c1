import { ModelError } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { chatRefusal } from "../refusals.fixture.ts";
import { framed, replaying } from "../replay.fixture.ts";
import { bodies, calls, delta, end, head, replay, streamedCalls, user } from "./chat.fixture.ts";

test("usage is requested for a stream, and chunks without choices are skipped [providers.openai-chat.include-usage]", async () => {
  const sent: unknown[] = [];
  const events = [
    { ...head, choices: [] },
    delta({ content: "Hi" }),
    delta({}, "stop"),
    { ...head, choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } },
    "[DONE]",
  ];
  const { chunks } = await collectChunks(
    replaying("gpt-4.1", { api: "chat" }, framed(events), {}, sent).stream({ messages: [user("Hi")] }),
  );
  expect(sent[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  expect(finishedResponse(chunks).usage).toMatchObject({ inputTokens: 5, outputTokens: 2, totalTokens: 7 });
  const {
    bodies: [whole],
  } = await bodies([{}]);
  expect(whole).not.toHaveProperty("stream_options");
});

test("the id may arrive on the first delta only, or on each [providers.openai-chat.tool-call-deltas]", async () => {
  const first = { index: 0, id: "a", function: { name: "look", arguments: "" } };
  expect(
    await streamedCalls([
      calls(first),
      calls({ index: 0, function: { arguments: '{"id":' } }),
      calls({ index: 0, function: { arguments: "1}" } }),
      ...end(),
    ]),
  ).toEqual(['look {"id":1}']);
  expect(
    await streamedCalls([
      calls(first),
      calls({ index: 0, id: "a", function: { name: "look", arguments: '{"id":' } }),
      calls({ index: 0, id: "a", function: { name: "look", arguments: "1}" } }),
      ...end(),
    ]),
  ).toEqual(['look {"id":1}']);
  expect(
    await streamedCalls([calls(first), calls({ index: 0, id: "", function: { name: "", arguments: "{}" } }), ...end()]),
  ).toEqual(["look {}"]);
});

test("two calls that share an index are two calls [providers.openai-chat.tool-call-deltas] [field-bug:PB-provider-compat-01]", async () => {
  const events = [
    calls({ index: 0, id: "a", function: { name: "look", arguments: '{"id":1}' } }),
    calls({ index: 0, id: "b", function: { name: "look", arguments: '{"id":2}' } }),
    ...end(),
  ];
  expect(await streamedCalls(events)).toEqual(['look {"id":1}', 'look {"id":2}']);
  const nameless = [
    calls({ index: 0, id: "", function: { name: "look", arguments: '{"id":1}' } }),
    calls({ index: 0, id: "", function: { name: "look", arguments: '{"id":2}' } }),
    ...end(),
  ];
  expect(await streamedCalls(nameless)).toEqual(['look {"id":1}', 'look {"id":2}']);
});

test("arguments before the name, and without an index, form a call [providers.openai-chat.tool-call-deltas] [field-bug:PB-provider-compat-03]", async () => {
  const events = [
    calls({ id: "a", function: { arguments: '{"id":' } }),
    calls({ function: { name: "look", arguments: "1" } }),
    calls({ function: { arguments: "}" } }),
    ...end(),
  ];
  expect(await streamedCalls(events)).toEqual(['look {"id":1}']);
});

test("a first call at index 1 is one call [providers.openai-chat.tool-call-deltas] [field-bug:PB-provider-compat-05]", async () => {
  const events = [calls({ index: 1, id: "a", function: { name: "look", arguments: "{}" } }), ...end()];
  expect(await streamedCalls(events)).toEqual(["look {}"]);
});

test("whole calls in one delta, without index or id, are distinguished [providers.openai-chat.tool-call-deltas]", async () => {
  const events = [
    calls({ function: { name: "look", arguments: '{"id":1}' } }, { function: { name: "look", arguments: { id: 2 } } }),
    ...end(),
  ];
  expect(await streamedCalls(events)).toEqual(['look {"id":1}', 'look {"id":2}']);
});

test("Pieces of a call's arguments reach their call under any index and id [providers.openai-chat.tool-call-deltas.stray-pieces]", async () => {
  const first = { index: 0, id: "a", function: { name: "look", arguments: "" } };
  const pieces: readonly (readonly [object, object])[] = [
    [{ index: 1 }, { index: 1 }],
    [
      { index: 1, id: "a" },
      { index: 2, id: "a" },
    ],
    [
      { index: 0, id: "b" },
      { index: 0, id: "c" },
    ],
    [{ id: "b" }, { id: "c" }],
    [{}, { index: 7 }],
  ];
  for (const [one, two] of pieces) {
    const events = [
      calls(first),
      calls({ ...one, function: { arguments: '{"id":' } }),
      calls({ ...two, function: { arguments: "1}" } }),
      ...end(),
    ];
    expect(await streamedCalls(events)).toEqual(['look {"id":1}']);
  }
  const second = { index: 1, id: "b", function: { name: "look", arguments: "" } };
  const late = [calls(first), calls(second), calls({ index: 5, id: "a", function: { arguments: "{}" } })];
  expect(await streamedCalls([...late, ...end()])).toEqual(["look {}", "look "]);
});

test("Arguments without a tool's name end in an error that can be retried [providers.openai-chat.tool-call-deltas.stray-pieces]", async () => {
  const { error } = await replay([calls({ index: 0, id: "a", function: { arguments: "{}" } }), ...end()]);
  expect(error).toMatchObject({ code: "MODEL_TOOL_CALL_INVALID", retryable: true });
});

test("a prefix that parses is not a call until the stream ends it [providers.rule.argument-text.final]", async () => {
  const { chunks, error } = await replay([calls({ index: 0, id: "a", function: { name: "look", arguments: "{}" } })]);
  expect(error).toBeInstanceOf(ModelError);
  expect(chunks.some(({ type }) => type === "tool_call_end" || type === "finish")).toBe(false);
});

test("calls finish as tool calls, for every finish reason of a gateway [field-bug:PB-provider-compat-06]", async () => {
  for (const reason of ["stop", "unknown", null]) {
    const { chunks } = await replay([
      calls({ index: 0, id: "a", function: { name: "look", arguments: "{}" } }),
      ...end(reason),
    ]);
    expect(finishedResponse(chunks)).toMatchObject({
      finishReason: "tool_calls",
      rawFinishReason: reason ?? undefined,
    });
  }
});

test("a refusal of Chat Completions is refusal content, and the filter finishes the answer", async () => {
  const { chunks } = await replay(chatRefusal);
  expect(finishedResponse(chunks)).toMatchObject({
    finishReason: "content_filter",
    rawFinishReason: "stop",
    message: { content: [{ type: "refusal", text: "I cannot help with that." }] },
  });
});

test("cached tokens are found in every field that servers use [field-bug:PB-usage-03]", async () => {
  for (const usage of [
    { cached_tokens: 7 },
    { prompt_cache_hit_tokens: 7 },
    { num_cached_tokens: 7 },
    { prompt_tokens_details: { cached_tokens: 7 } },
  ]) {
    const { chunks } = await replay([
      delta({ content: "Hi" }),
      { ...delta({}, "stop"), usage: { prompt_tokens: 9, completion_tokens: 1, ...usage } },
      "[DONE]",
    ]);
    expect(finishedResponse(chunks).usage.cachedTokens).toBe(7);
  }
});

test("an answer without usage is valid, and its counts are numbers [field-bug:PB-usage-04]", async () => {
  const { chunks } = await replay([delta({ content: "Hi" }), ...end("stop")]);
  expect(finishedResponse(chunks).usage).toEqual({ inputTokens: 0, outputTokens: 0, totalTokens: 0 });
});

test.each([
  [{}, [0, 0, 0]],
  [{ prompt_tokens: null, completion_tokens: null }, [0, 0, 0]],
  [{ completion_tokens: 5 }, [0, 5, 5]],
  [{ prompt_tokens: 7 }, [7, 0, 7]],
])("usage %j without some counts has numbers [field-bug:PB-usage-04]", async (usage, counts) => {
  const { chunks } = await replay([delta({ content: "Hi" }), { ...delta({}, "stop"), usage }, "[DONE]"]);
  const { inputTokens, outputTokens, totalTokens } = finishedResponse(chunks).usage;
  expect([inputTokens, outputTokens, totalTokens]).toEqual(counts);
});

test("a bare error after the events of a stream surfaces with its code [field-bug:PB-provider-errors-03]", async () => {
  const bare = new TextEncoder().encode(
    `${new TextDecoder().decode(framed([delta({ content: "Hi" })]))}[{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]`,
  );
  const { error } = await collectChunks(replaying("m", { api: "chat" }, bare).stream({ messages: [user("Hi")] }));
  expect(error).toMatchObject({
    status: 503,
    retryable: true,
    message: expect.stringContaining("The model is overloaded.") as string,
  });
});

test("an error in a chunk keeps its message and code [field-bug:PB-provider-errors-08]", async () => {
  const { error } = await replay([{ error: { message: "Provider returned error", code: 502 } }]);
  expect(error).toMatchObject({
    status: 502,
    retryable: true,
    message: expect.stringContaining("Provider returned error") as string,
  });
});

test("counts are kept when a stream breaks [providers.rule.usage.partial]", async () => {
  const events = [{ ...delta({ content: "Hi" }), usage: { prompt_tokens: 9, completion_tokens: 1 } }];
  const { error } = await replay(events);
  expect(error).toMatchObject({
    partial: { usage: { inputTokens: 9, outputTokens: 1 }, message: { partial: true, content: [{ text: "Hi" }] } },
  });
});
