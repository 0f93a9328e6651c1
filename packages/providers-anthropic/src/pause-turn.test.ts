import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { ModelError, type ModelResponse } from "@bailiwick/core";
import { collectChunks, finishedResponse, type ScriptStep } from "@bailiwick/testing";
import { modelServer, type RecordedServer, recordedServer, type Recording } from "@bailiwick/testing/model-server";
import { describe, expect, test } from "vitest";
import { blocksOf, shape, user, type Sent } from "./ask.fixture.ts";
import { anthropic, codeExecution, webSearch, type AnthropicOptions } from "./index.ts";
import { goingOn, overloaded, pausing, wholeAnswer } from "./pause-turn.fixture.ts";

const wire = "anthropic-messages";
const lines = (events: readonly object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join("");
const request = { messages: [user("Rain?")], tools: [webSearch()] } as const;

/** Answers with these, one after the other. */
async function serving(answers: readonly (readonly object[])[], json: boolean): Promise<RecordedServer> {
  return recordedServer((index): Recording => {
    const events = answers[index] ?? [];
    return json ? { wire, json: JSON.stringify(wholeAnswer(events)) } : { wire, chunks: lines(events) };
  });
}

async function ask(
  server: RecordedServer,
  json: boolean,
  options: AnthropicOptions = {},
  tools = request.tools as readonly ReturnType<typeof webSearch>[],
): Promise<ModelResponse> {
  const model = anthropic("claude-opus-5", { apiKey: "k", baseURL: server.baseURL("anthropic"), ...options });
  if (json) return model.generate({ ...request, tools });
  const { chunks, error } = await collectChunks(model.stream({ ...request, tools }));
  if (error !== undefined) throw error as Error;
  return finishedResponse(chunks);
}

describe.each([true, false])("as JSON: %s", (json) => {
  test(`the received part is sent back, the vendor continues, and it is one answer (JSON: ${String(json)}) [providers.anthropic.pause-turn]`, async () => {
    await using server = await serving([pausing, goingOn], json);
    const answer = await ask(server, json);
    expect(answer).toMatchObject({
      finishReason: "stop",
      rawFinishReason: "end_turn",
      responseId: "msg_ended",
      warnings: [],
    });
    expect(answer.message.content.map((part) => [part.type, part.type === "text" ? part.text : ""])).toEqual([
      ["reasoning", ""],
      ["hosted_tool", ""],
      ["text", "Found one. "],
      ["hosted_tool", ""],
      ["text", "It rains."],
    ]);
    expect(answer.usage).toMatchObject({
      inputTokens: 440,
      outputTokens: 55,
      totalTokens: 495,
      cachedTokens: 140,
    });
    const [first, second] = server.requests.map(({ body }) => body as Sent);
    expect(shape(second)).toEqual([
      ["user", ["text"]],
      ["assistant", ["thinking", "server_tool_use", "web_search_tool_result", "text", "server_tool_use"]],
    ]);
    expect(blocksOf(second)[1]).toEqual({
      type: "thinking",
      thinking: "I should search.",
      signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3h",
    });
    expect(blocksOf(second)[5]).toMatchObject({ id: "srvtoolu_2", input: { query: "more rain" } });
    expect(second).toEqual({ ...first, container: "container_1", messages: second?.["messages"] });
  });

  test(`the pairs of such an answer are sent back completely, in its container (JSON: ${String(json)}) [providers.anthropic.server-tools] [providers.proof.round-trip]`, async () => {
    await using server = await serving([pausing, goingOn, goingOn], json);
    const { message } = await ask(server, json, {}, [webSearch(), codeExecution()]);
    const model = anthropic("claude-opus-5", { apiKey: "k", baseURL: server.baseURL("anthropic") });
    const { messages } = compileHistory([...request.messages, message, user("Sure?")], historyTarget(model));
    const more = { messages, tools: [webSearch(), codeExecution()] };
    if (json) await model.generate(more);
    else await collectChunks(model.stream(more));
    const third = server.requests[2]?.body as Sent;
    expect(shape(third)[1]?.[1]).toEqual([
      "thinking",
      "server_tool_use",
      "web_search_tool_result",
      "text",
      "server_tool_use",
      "web_search_tool_result",
      "text",
    ]);
    expect(JSON.stringify(third)).toContain('"encrypted_content":"EpUB"');
    expect(third["container"]).toBe("container_1");
  });

  test(`it continues up to the limit, and then warns (JSON: ${String(json)}) [providers.anthropic.pause-turn]`, async () => {
    await using server = await serving([pausing, pausing, pausing, pausing], json);
    const answer = await ask(server, json, { maxContinuations: 2 });
    expect(server.requests).toHaveLength(3);
    expect(answer).toMatchObject({
      finishReason: "other",
      rawFinishReason: "pause_turn",
      warnings: [{ code: "pause_limit" }],
    });
    // Its last call is still open: when it is sent back, the vendor continues it.
    const model = anthropic("claude-opus-5", { apiKey: "k", baseURL: server.baseURL("anthropic") });
    const { messages } = compileHistory([...request.messages, answer.message], historyTarget(model));
    await model.generate({ ...request, messages }).catch(() => undefined);
    const fourth = server.requests[3]?.body as Sent;
    expect(shape(fourth).at(-1)?.[0]).toBe("assistant");
    expect(blocksOf(fourth).at(-1)).toMatchObject({ type: "server_tool_use", id: "srvtoolu_2" });
    // And if that pauses too, all of it is sent back in the same turn.
    await using again = await serving([pausing, goingOn], true);
    const next = anthropic("claude-opus-5", { apiKey: "k", baseURL: again.baseURL("anthropic") });
    await next.generate({ ...request, messages });
    const [before, after] = again.requests.map(({ body }) => blocksOf(body as Sent));
    expect(after?.slice(0, before?.length)).toEqual(before);
    expect(after).toHaveLength((before?.length ?? 0) + 5);
  });

  test(`when continuing fails, received text and counts are kept (JSON: ${String(json)}) [providers.rule.usage.partial] [providers.anthropic.pause-turn]`, async () => {
    await using server = await recordedServer((index): Recording => {
      if (index > 0) return { wire, status: 500, json: '{"type":"error","error":{"type":"api_error","message":"Oh"}}' };
      return json ? { wire, json: JSON.stringify(wholeAnswer(pausing)) } : { wire, chunks: lines(pausing) };
    });
    const error = await ask(server, json).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ status: 500, partial: { finishReason: "error", usage: { outputTokens: 40 } } });
    expect((error as ModelError).partial?.message.content.map(({ type }) => type)).toEqual([
      "reasoning",
      "hosted_tool",
      "text",
      "hosted_tool",
    ]);
  });
});

test("a stream cut anywhere is an error, and one split anywhere gives the same answer [providers.anthropic.pause-turn] [providers.proof.cut] [providers.proof.re-split]", async () => {
  const whole = JSON.stringify((await ask(await serving([pausing, goingOn], false), false)).message.content);
  for (let cut = 0; cut < goingOn.length - 1; cut += 1) {
    await using server = await recordedServer((index): Recording => {
      return index === 0
        ? { wire, chunks: lines(pausing), splitAt: [cut * 37 + 1] }
        : { wire, chunks: lines(goingOn), cutAfterEvent: cut };
    });
    const error = await ask(server, false).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ retryable: true, partial: { finishReason: "error" } });
    await using again = await recordedServer((index): Recording => {
      return { wire, chunks: lines(index === 0 ? pausing : goingOn), splitAt: [cut * 53 + 7, cut * 53 + 300] };
    });
    expect(JSON.stringify((await ask(again, false)).message.content)).toBe(whole);
  }
});

test("an overload is a 529 that can be retried, before and after the first output [providers.rule.stream-end.error-frame] [field-bug:PB-provider-errors-01]", async () => {
  const started = pausing.slice(0, 1);
  for (const events of [
    [overloaded],
    [...started, { type: "ping" }, overloaded],
    [...pausing.slice(0, 3), overloaded],
  ]) {
    await using server = await serving([events], false);
    const error = await ask(server, false).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "MODEL_UNAVAILABLE",
      status: 529,
      retryable: true,
      requestId: "req_011CSHoEeqs5C35K2UUqR7Fy",
    });
  }
});

const paused: ScriptStep = {
  parts: [
    { type: "raw", value: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "rain" } } },
  ],
  rawFinish: "pause_turn",
};

test("the strict server accepts the continued request, streamed or not [providers.anthropic.pause-turn]", async () => {
  await using server = await modelServer([paused, "It rains.", paused, "It rains."]);
  const model = anthropic("claude-opus-5", { apiKey: "k", baseURL: server.baseURL("anthropic") });
  const whole = await model.generate(request);
  const streamed = finishedResponse((await collectChunks(model.stream(request))).chunks);
  for (const { message } of [whole, streamed]) {
    // Its result never arrived, so it is described in text, and not sent again.
    expect(message.content).toMatchObject([
      { type: "hosted_tool", toolName: "web_search" },
      { type: "text", text: "It rains." },
    ]);
  }
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual([undefined, undefined, undefined, undefined]);
});

test("an abort while the vendor continues cancels that request too, and leaves no listener [providers.rule.abort] [providers.proof.abort]", async () => {
  for (const hangAfterEvents of [0, 1, 3]) {
    await using server = await modelServer([paused, { text: "It rains a lot.", faults: { hangAfterEvents } }]);
    const model = anthropic("claude-opus-5", { apiKey: "k", baseURL: server.baseURL("anthropic") });
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners += 1;
      add(...given);
    };
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...given);
    };
    const pending = collectChunks(model.stream({ ...request, signal }));
    while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 2));
    controller.abort(new Error("enough"));
    expect((await pending).error).toMatchObject({ code: "MODEL_ABORTED", partial: { finishReason: "error" } });
    expect(listeners).toBe(0);
    await expect.poll(() => server.requests[1]?.aborted).toBe(true);
  }
});
