import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type Message } from "@bailiwick/core";
import { jsonAt } from "@bailiwick/testing";
import { modelServer, recordedServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { openai, openaiOptions, webSearch } from "../index.ts";
import { listAt } from "../replay.fixture.ts";
import { bodies, look, user } from "./chat.fixture.ts";

test("output is limited by the setting that the model accepts [providers.openai-chat.max-completion-tokens]", async () => {
  const {
    bodies: [reasoning],
  } = await bodies([{ maxTokens: 500 }], "gpt-5.5");
  expect(reasoning).toMatchObject({ max_completion_tokens: 500, messages: [{ role: "user" }] });
  const {
    bodies: [vllm],
  } = await bodies([{ maxTokens: 500 }], "qwen", { compat: "vllm" });
  expect(vllm).toMatchObject({ max_tokens: 500 });
});

test("tool settings are sent only with tools [providers.openai-chat.parallel-tool-calls]", async () => {
  const {
    bodies: [none, some],
  } = await bodies([
    { parallelToolCalls: false, toolChoice: "auto" },
    { parallelToolCalls: false, toolChoice: { toolName: "look" }, tools: [look] },
  ]);
  expect(none).not.toHaveProperty("parallel_tool_calls");
  expect(none).not.toHaveProperty("tool_choice");
  expect(some).toMatchObject({
    parallel_tool_calls: false,
    tool_choice: { type: "function", function: { name: "look" } },
  });
});

test("an image in a result follows in a user message, and its data is in no text [providers.rule.images.tool-results]", async () => {
  const asked: Message = {
    id: "a",
    role: "assistant",
    content: [],
    toolCalls: [{ id: "c1", name: "look", arguments: "{}" }],
    finishReason: "tool_calls",
    provenance: { provider: "x", api: "y", model: "z" },
  };
  const shown: Message = {
    id: "t",
    role: "tool",
    toolCallId: "c1",
    toolName: "look",
    content: [{ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }],
  };
  const {
    bodies: [body],
  } = await bodies([{ messages: [user("Hi"), asked, shown] }]);
  const messages = listAt(body, "messages");
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  expect(messages[2]?.content).not.toContain("iVBOR");
  expect(jsonAt(messages, 3, "content", 1)).toEqual({
    type: "image_url",
    image_url: { url: "data:image/png;base64,iVBORw0KGgo=" },
  });
});

test("audio and files are sent; received audio is sent back by its id [messages.content-part]", async () => {
  const content = [
    { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
    { type: "file", data: "JVBERi0=", mimeType: "application/pdf" },
  ] as const;
  const spoken = {
    id: "c",
    object: "chat.completion",
    choices: [
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: null, audio: { id: "audio_1", data: "UklGRg==", transcript: "Hello" } },
      },
    ],
  };
  await using server = await recordedServer({ wire: "openai-chat", json: JSON.stringify(spoken) });
  const model = openai("gpt-audio", {
    api: "chat",
    apiKey: "test",
    baseURL: server.baseURL("openai"),
    capabilities: { input: { image: false, audio: true, file: true } },
  });
  const options = openaiOptions({ modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } });
  const { message } = await model.generate({
    messages: [{ id: "u", role: "user", content }],
    providerOptions: options,
  });
  expect(message.content).toMatchObject([
    { type: "text", text: "Hello" },
    { type: "audio", data: "UklGRg==" },
  ]);
  await model.generate({
    messages: compileHistory([user("Hi"), message, user("Louder.")], historyTarget(model)).messages,
  });
  expect(server.requests[0]?.body).toMatchObject({
    modalities: ["text", "audio"],
    messages: [
      {
        content: [
          { type: "input_audio", input_audio: { format: "wav" } },
          { type: "file", file: { file_data: "data:application/pdf;base64,JVBERi0=" } },
        ],
      },
    ],
  });
  expect(server.requests[1]?.body).toMatchObject({
    messages: [{}, { role: "assistant", audio: { id: "audio_1" } }, {}],
  });
});

test("an answer's schema is the response format, together with tools [providers.rule.structured-output]", async () => {
  const output = { name: "answer", schema: { type: "object", properties: { city: { type: "string" } } } };
  const {
    bodies: [body],
  } = await bodies([{ tools: [look], output }]);
  expect(body).toMatchObject({
    response_format: {
      type: "json_schema",
      json_schema: { name: "answer", strict: true, schema: { required: ["city"] } },
    },
  });
  const {
    bodies: [none],
    answers,
  } = await bodies([{ output }], "deepseek-chat", { compat: "deepseek" });
  expect(none).not.toHaveProperty("response_format");
  expect(answers[0]?.warnings).toMatchObject([{ code: "unsupported_setting", subject: "output" }]);
});

test("unsupported settings and tools give a warning [providers.rule.warnings]", async () => {
  const {
    bodies: [body],
    answers,
  } = await bodies(
    [
      {
        temperature: 0.1,
        stopSequences: ["X"],
        reasoning: { enabled: true, effort: "low" },
        tools: [look, webSearch()],
      },
    ],
    "gpt-5.5",
  );
  expect(body).toMatchObject({ reasoning_effort: "low" });
  expect(body).not.toHaveProperty("temperature");
  expect(answers[0]?.warnings.map(({ subject }) => subject)).toEqual(["web_search", "temperature", "stopSequences"]);
});

test("a participant's name is sent in characters that every server accepts, and an empty one is left out [providers.rule.strings.names]", async () => {
  await using server = await modelServer(["Hi"]);
  const model = openai("gpt-4.1", { api: "chat", apiKey: "k", baseURL: server.baseURL("openai") });
  const named = (id: string, name: string): Message => ({ id, role: "user", content: "Hi", name });
  await model.generate({ messages: [named("a", "Ana María <a@b>"), named("b", "日本"), named("c", "x".repeat(80))] });
  const sent = listAt(server.requests[0]?.body, "messages").map(({ name }) => name);
  expect(sent).toEqual(["Ana_Mar_a_a_b", undefined, "x".repeat(64)]);
});
