import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type Message } from "@bailiwick/core";
import { collectChunks, finishedResponse, jsonAt } from "@bailiwick/testing";
import { modelServer, recordedServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { compat, openai, type OpenAIOptions } from "../index.ts";
import { framed, replaying } from "../replay.fixture.ts";
import { bodies, delta, end, look, user } from "./chat.fixture.ts";

test("reasoning is read from each field, and echoed if the vendor requires it [providers.openai-chat.reasoning-fields]", async () => {
  const field = async (name: string, value: unknown, options: OpenAIOptions) => {
    const sent: unknown[] = [];
    const events = [delta({ [name]: value }), delta({ content: "Hi" }), ...end("stop")];
    const model = replaying("some-model", options, framed(events), {}, sent);
    const { chunks } = await collectChunks(model.stream({ messages: [user("Hi")] }));
    const { message } = finishedResponse(chunks);
    expect(message.content[0]).toMatchObject({ type: "reasoning", text: "Hm." });
    expect(chunks[0]).toEqual({ type: "thinking", text: "Hm." });
    const history = compileHistory([user("Hi"), message, user("So?")], historyTarget(model));
    await collectChunks(model.stream({ messages: history.messages }));
    return [jsonAt(sent, 1, "messages", 1), history.warnings.map(({ code }) => code)];
  };
  const details = [{ type: "reasoning.text", text: "Hm.", signature: "sig==" }];
  expect(await field("reasoning_content", "Hm.", { compat: "deepseek" })).toEqual([
    { role: "assistant", content: "Hi", reasoning_content: "Hm." },
    [],
  ]);
  expect(await field("reasoning_details", details, { compat: "openrouter" })).toEqual([
    { role: "assistant", content: "Hi", reasoning_details: details },
    [],
  ]);
  expect(await field("reasoning", "Hm.", { compat: "groq" })).toEqual([
    { role: "assistant", content: "Hi" },
    ["reasoning_dropped"],
  ]);
});

test("reasoning that cannot be sent back gives a warning [providers.openai-chat.no-reasoning-replay]", async () => {
  const theirs: Message = {
    id: "a",
    role: "assistant",
    content: [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Hi" },
    ],
    toolCalls: [],
    finishReason: "stop",
    provenance: { provider: "openai", api: "responses", model: "gpt-5.5" },
  };
  const model = openai("gpt-5.5", { api: "chat" });
  expect(compileHistory([user("Hi"), theirs], historyTarget(model)).warnings).toMatchObject([
    { code: "reasoning_dropped" },
  ]);
});

test("each known server is called at its URL, with its key and name [providers.openai-chat.compat]", async () => {
  const remote = ["groq", "deepseek", "xai", "mistral", "openrouter"] as const;
  for (const name of [...remote, "vllm", "ollama", "lmstudio"] as const) {
    expect(compat[name].baseURL).toMatch(/^https?:\/\//);
    const model = openai("m", { compat: name });
    expect([model.provider, model.api]).toEqual([name, name === "xai" ? "responses" : "chat"]);
  }
  for (const name of remote)
    await expect(openai("m", { compat: name }).generate({ messages: [] })).rejects.toMatchObject({
      code: "API_KEY_MISSING",
    });
  expect(() => openai("m", { compat: "azure" })).toThrow("baseURL");
  expect(() => openai("m", { compat: "nowhere" as "vllm" })).toThrow("nowhere");
});

test("Azure gets its key in its own header, and a local server gets none [providers.openai-chat.compat]", async () => {
  await using server = await modelServer(() => "ok", { strict: false });
  const azure = openai("gpt-5.5", { compat: "azure", apiKey: "azure-key-123", baseURL: server.baseURL("openai") });
  await azure.generate({ messages: [user("Hi")] });
  await azure.generate({ messages: [user("Hi")], apiKey: "other-key-123" });
  expect(server.requests.map(({ headers }) => [headers["api-key"], headers["authorization"]])).toEqual([
    ["azure-key-123", undefined],
    ["other-key-123", undefined],
  ]);
  await openai("qwen", { compat: "vllm", baseURL: server.baseURL("openai") }).generate({ messages: [user("Hi")] });
  expect(server.requests[2]?.wire).toBe("openai-chat");
});

test("the error for a setting that Ollama ignores names the alternative [providers.openai-chat.compat.ignored]", async () => {
  const model = openai("qwen3", { compat: "ollama" });
  const given = [{ numCtx: 8192 }, { extraBody: { num_ctx: 8192 } }, { extraBody: { options: { num_ctx: 8192 } } }];
  for (const options of given) {
    const request = { messages: [user("Hi")], providerOptions: { ollama: options } };
    const refusal = { code: "INVALID_OPTION", message: expect.stringContaining("ollama()") as string };
    await expect(model.generate(request)).rejects.toMatchObject(refusal);
    expect(() => model.stream(request)).toThrow(expect.objectContaining(refusal) as Error);
  }
});

test("fields that a server does not accept are left out: strict, ids of any form, invalid argument text [providers.openai-chat.compat]", async () => {
  const broken: Message = {
    id: "a",
    role: "assistant",
    content: [],
    toolCalls: [{ id: "call_long_id", name: "look", arguments: '{"id": ' }],
    finishReason: "tool_calls",
    provenance: { provider: "x", api: "y", model: "z" },
  };
  const {
    bodies: [body],
  } = await bodies([{ tools: [{ ...look, strict: true }], messages: [user("Hi"), broken] }], "mistral-small", {
    compat: "mistral",
  });
  const call = jsonAt(body, "messages", 1, "tool_calls", 0);
  expect(jsonAt(call, "id")).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(JSON.parse(String(jsonAt(call, "function", "arguments")))).toEqual({ invalid_arguments: '{"id": ' });
  expect(JSON.stringify(body?.["tools"])).not.toContain("strict");
});

test("a call that the vendor itself rejected can be retried, with the model's text [field-bug:PB-provider-errors-07]", async () => {
  const body = JSON.stringify({
    error: { message: "Failed to call a function.", code: "tool_use_failed", failed_generation: "<function=look>{" },
  });
  await using server = await recordedServer({ wire: "openai-chat", json: body, status: 400 });
  const error: unknown = await openai("m", { compat: "groq", apiKey: "test", baseURL: server.baseURL("openai") })
    .generate({ messages: [user("Hi")] })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "MODEL_TOOL_CALL_INVALID",
    retryable: true,
    message: expect.stringContaining("<function=look>{") as string,
  });
});
