import { collectChunks, finishedResponse, type ScriptStep } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { responsesRefusal } from "../refusals.fixture.ts";
import { framed, replaying } from "../replay.fixture.ts";
import { bodies, completed, created, look, replay, secondInput, user } from "./responses.fixture.ts";

test("several summary parts are one item, with the last encrypted content [providers.openai-responses.summary-parts]", async () => {
  const item = (encrypted: string, summary: readonly object[]) => ({
    id: "rs_1",
    type: "reasoning",
    encrypted_content: encrypted,
    summary,
  });
  const part = (index: number, delta: string) => ({
    type: "response.reasoning_summary_text.delta",
    output_index: 0,
    item_id: "rs_1",
    summary_index: index,
    delta,
  });
  const { chunks } = await replay([
    created,
    { type: "response.output_item.added", output_index: 0, item: item("first", []) },
    part(0, "One."),
    part(1, "Two."),
    {
      type: "response.output_item.done",
      output_index: 0,
      item: item("last", [
        { type: "summary_text", text: "One." },
        { type: "summary_text", text: "Two." },
      ]),
    },
    {
      type: "response.output_item.done",
      output_index: 1,
      item: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "Hi", annotations: [] }],
      },
    },
    completed(),
  ]);
  const { content } = finishedResponse(chunks).message;
  expect(content).toMatchObject([
    { type: "reasoning", text: "One.\n\nTwo.", providerState: { encrypted: "last" } },
    { type: "text", text: "Hi" },
  ]);
  expect(chunks.map((chunk) => (chunk.type === "thinking" ? chunk.text : "")).join("")).toBe("One.\n\nTwo.");
  expect(chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("")).toBe("Hi");
});

test("ids that a gateway changes from event to event do not split a call [providers.openai-responses.slots-by-output-index]", async () => {
  const call = (id: string, text: string) => ({
    id,
    type: "function_call",
    call_id: "call_1",
    name: "look",
    arguments: text,
  });
  const { chunks } = await replay([
    created,
    { type: "response.output_item.added", output_index: 0, item: call("fc_a", "") },
    { type: "response.function_call_arguments.delta", output_index: 0, item_id: "fc_b", delta: '{"id":' },
    { type: "response.function_call_arguments.delta", output_index: 0, item_id: "fc_c", delta: '"1"}' },
    { type: "response.output_item.done", output_index: 0, item: call("fc_d", '{"id":"1"}') },
    completed([call("fc_e", '{"id":"1"}')]),
  ]);
  expect(finishedResponse(chunks).message.toolCalls).toMatchObject([{ id: "call_1", input: { id: "1" } }]);
  expect(chunks.map(({ type }) => type)).toEqual([
    "tool_call_start",
    "tool_call_delta",
    "tool_call_delta",
    "tool_call_end",
    "finish",
  ]);
});

test("a wrapper call is expanded only if every recipient is declared [providers.openai-responses.parallel-wrapper]", async () => {
  const wrapper = (names: readonly string[]): ScriptStep => ({
    toolCalls: [
      {
        name: "multi_tool_use.parallel",
        arguments: {
          tool_uses: names.map((name, id) => ({ recipient_name: `functions.${name}`, parameters: { id: String(id) } })),
        },
      },
    ],
  });
  const {
    answers: [both, one],
  } = await bodies(
    [wrapper(["look", "look"]), wrapper(["look", "delete_all"])],
    [{ tools: [look] }, { tools: [look] }],
  );
  expect(both?.message.toolCalls).toMatchObject([
    { name: "look", input: { id: "0" } },
    { name: "look", input: { id: "1" } },
  ]);
  expect(one?.message.toolCalls.map(({ name }) => name)).toEqual(["multi_tool_use.parallel"]);
  const input = await secondInput(wrapper(["look", "look"]), (messages) => messages);
  expect(input.map(({ type }) => type)).toEqual([
    "message",
    "function_call",
    "function_call",
    "function_call_output",
    "function_call_output",
  ]);
});

test("a refusal becomes refusal content with finish reason content_filter, unless the answer has calls [providers.openai-responses.refusal]", async () => {
  const { chunks } = await replay(responsesRefusal);
  expect(finishedResponse(chunks)).toMatchObject({
    finishReason: "content_filter",
    rawFinishReason: "completed",
    message: { content: [{ type: "refusal", text: "I cannot help with that." }] },
  });
  const { answers } = await bodies([{ refusal: "Not that one.", toolCalls: [{ name: "look" }] }], [{ tools: [look] }]);
  expect(answers[0]?.finishReason).toBe("tool_calls");
});

test("a limit on output finishes as length, with the vendor's reason [providers.openai-responses.length]", async () => {
  const { answers } = await bodies([{ text: "Once", finish: "length" }], [{}]);
  expect(answers[0]).toMatchObject({ finishReason: "length", rawFinishReason: "max_output_tokens" });
});

test("An answer that stops for length before any output is an overflow, unless a small maxTokens explains it [providers.rule.overflow.silent]", async () => {
  const empty = { text: "", finish: "length", usage: { outputTokens: 0 } } as const;
  await expect(bodies([empty], [{}])).rejects.toMatchObject({ code: "CONTEXT_OVERFLOW" });
  const { answers } = await bodies([empty], [{ maxTokens: 64 }]);
  expect(answers[0]?.finishReason).toBe("length");
});

test("A complete answer is never an overflow, for any input counted by the vendor's tool loop [providers.rule.overflow.finished]", async () => {
  const usage = { inputTokens: 2_000_000 };
  const { answers } = await bodies(
    [
      { text: "Hi", usage },
      { toolCalls: [{ name: "look" }], usage },
      { text: "Half", finish: "length", usage },
    ],
    [{}, { tools: [look] }, {}],
  );
  expect(answers.map(({ finishReason }) => finishReason)).toEqual(["stop", "tool_calls", "length"]);
  await expect(bodies([{ text: "", finish: "length", usage }], [{}])).rejects.toMatchObject({
    code: "CONTEXT_OVERFLOW",
  });
});

test("an unknown event is ignored, with a debug log [providers.rule.unknown-events]", async () => {
  const logged: unknown[] = [];
  const logger = {
    debug: (...given: unknown[]) => logged.push(given),
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  };
  const events = [
    created,
    { type: "response.hologram.delta", delta: "?" },
    { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hi" },
    completed(),
  ];
  const { chunks, error } = await collectChunks(
    replaying("gpt-5.5", { logger }, framed(events)).stream({ messages: [user("Hi")] }),
  );
  expect(error).toBeUndefined();
  expect(finishedResponse(chunks).message.content).toMatchObject([{ type: "text", text: "Hi" }]);
  expect(JSON.stringify(logged)).toContain("response.hologram.delta");
});

test("a surrogate pair in two deltas is emitted whole [field-bug:PB-unicode-04]", async () => {
  const delta = (text: string) => ({
    type: "response.output_text.delta",
    output_index: 0,
    content_index: 0,
    delta: text,
  });
  const { chunks } = await replay([created, delta("a\ud83d"), delta("\ude00b"), completed()]);
  const texts = chunks.flatMap((chunk) => (chunk.type === "text" ? [chunk.text] : []));
  expect(texts).toEqual(["a", "😀b"]);
  expect(finishedResponse(chunks).message.content).toMatchObject([{ text: "a😀b" }]);
});

test("a surrogate pair in two deltas of reasoning or of arguments is emitted whole [field-bug:PB-unicode-04]", async () => {
  const item = { type: "function_call", id: "fc_1", call_id: "c1", name: "look", arguments: "" };
  const { chunks } = await replay([
    created,
    { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 0, delta: "a\ud83d" },
    { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 0, delta: "\ude00b" },
    { type: "response.output_item.added", output_index: 1, item },
    { type: "response.function_call_arguments.delta", output_index: 1, item_id: "fc_1", delta: '{"id":"a\ud83d' },
    { type: "response.function_call_arguments.delta", output_index: 1, item_id: "fc_1", delta: '\ude00b"}' },
    completed(),
  ]);
  expect(chunks.flatMap((chunk) => (chunk.type === "thinking" ? [chunk.text] : []))).toEqual(["a", "😀b"]);
  expect(chunks.flatMap((chunk) => (chunk.type === "tool_call_delta" ? [chunk.argumentsDelta] : []))).toEqual([
    '{"id":"a',
    '😀b"}',
  ]);
});

test("a failure in a stream is retried unless it blames the request [providers.rule.retry] [providers.rule.stream-end.error-frame]", async () => {
  const failed = async (code: string): Promise<unknown> =>
    (
      await replay([
        created,
        { type: "response.failed", response: { status: "failed", error: { code, message: "No." }, output: [] } },
      ])
    ).error;
  for (const code of ["server_error", "rate_limit_exceeded", "vector_store_timeout", "unheard_of"])
    expect([code, await failed(code)]).toMatchObject([code, { retryable: true }]);
  for (const code of [
    "invalid_prompt",
    "invalid_image_url",
    "image_too_large",
    "image_file_not_found",
    "empty_image_file",
    "unsupported_image_media_type",
    "image_content_policy_violation",
    "failed_to_download_image",
    "cyber_policy",
  ]) {
    expect([code, await failed(code)]).toMatchObject([code, { retryable: false, status: 400 }]);
  }
});

test("chunks of commentary are marked, answer chunks are not, for any split and order [providers.openai-responses.phase.streamed]", async () => {
  const said = (index: number, phase: string, content: readonly object[], status = "completed") => ({
    output_index: index,
    item: { id: `m${index}`, type: "message", role: "assistant", status, phase, content },
  });
  const text = (value: string) => ({ type: "output_text", text: value, annotations: [] });
  const piece = (index: number, value: string) => ({
    type: "response.output_text.delta",
    output_index: index,
    content_index: 0,
    delta: value,
  });
  const { chunks } = await replay([
    created,
    { type: "response.output_item.added", ...said(0, "commentary", [], "in_progress") },
    piece(0, "Let "),
    piece(0, "me\ud83d"),
    { type: "response.output_item.added", ...said(1, "final_answer", [], "in_progress") },
    piece(1, "4"),
    piece(0, "\ude00"),
    { type: "response.output_item.done", ...said(0, "commentary", [text("Let me😀 see.")]) },
    { type: "response.output_item.done", ...said(1, "final_answer", [text("42.")]) },
    completed(),
  ]);
  expect(chunks.filter(({ type }) => type === "text")).toEqual([
    { type: "text", text: "Let ", commentary: true },
    { type: "text", text: "me", commentary: true },
    { type: "text", text: "4" },
    { type: "text", text: "😀", commentary: true },
    { type: "text", text: " see.", commentary: true },
    { type: "text", text: "2." },
  ]);
});

test("a citation is kept even if its text started without a list of citations [providers.rule.unknown-events]", async () => {
  const { chunks, error } = await replay([
    created,
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { id: "msg_1", type: "message", role: "assistant", content: [{ type: "output_text", text: "" }] },
    },
    { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "See there." },
    {
      type: "response.output_text.annotation.added",
      output_index: 0,
      content_index: 0,
      annotation: { type: "url_citation", url: "https://there.test/", title: "There" },
    },
    completed(),
  ]);
  const source = { type: "source", url: "https://there.test/", title: "There" };
  expect(error).toBeUndefined();
  expect(chunks).toContainEqual({ type: "source", source });
  expect(finishedResponse(chunks).message.content).toMatchObject([{ type: "text", text: "See there." }, source]);
});

test("streamed text is kept if its closing item has no text [providers.openai-responses.text-kept]", async () => {
  for (const ended of [{}, { content: [] }, { content: [{ type: "output_text" }] }, { content: [{ text: "Hello" }] }]) {
    const { chunks } = await replay([
      created,
      { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1", content: [] } },
      { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hello" },
      { type: "response.output_item.done", output_index: 0, item: { type: "message", id: "msg_1", ...ended } },
      completed(),
    ]);
    expect(finishedResponse(chunks).message.content).toMatchObject([{ type: "text", text: "Hello" }]);
  }
});
