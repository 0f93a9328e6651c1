import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { recordedServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { openai } from "../index.ts";
import { delta, end, head, replay, user } from "./chat.fixture.ts";

const hi = { messages: [user("Hi")] };

test("The words of an error inside a choice reach the caller [providers.openai-chat.gateway-errors]", async () => {
  const failing = { ...head, choices: [{ index: 0, delta: {}, error: { message: "Upstream died", code: 502 } }] };
  const { error } = await replay([delta({ content: "Hi" }), failing]);
  expect(error).toMatchObject({ status: 502, message: expect.stringContaining("Upstream died") as string });
  const json = JSON.stringify({ id: "c", choices: [{ error: { message: "Upstream died", code: 502 } }] });
  await using server = await recordedServer({ wire: "openai-chat", json });
  const model = openai("m", { compat: "openrouter", apiKey: "k", baseURL: server.baseURL("openai") });
  await expect(model.generate(hi)).rejects.toThrow("Upstream died");
});

test("Event data that is not JSON-like is skipped, and broken JSON is an error [providers.rule.unknown-events.not-json]", async () => {
  const { chunks } = await replay(["keep-alive", delta({ content: "Hi" }), "still here", ...end("stop")]);
  expect(finishedResponse(chunks).message.content).toMatchObject([{ type: "text", text: "Hi" }]);
  const { error } = await replay([delta({ content: "Hi" }), '{"choices":[{"del', ...end("stop")]);
  expect(error).toMatchObject({ code: "MODEL_RESPONSE_INVALID" });
});

test("Pictures of a gateway and citations beside the choices arrive, streamed and whole [providers.openai-chat.gateway-extras]", async () => {
  const images = [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }];
  const beside = {
    citations: ["https://a.example", "https://b.example"],
    search_results: [{ url: "https://a.example", title: "A" }],
  };
  const expected = [
    { type: "text", text: "Hi" },
    { type: "source", url: "https://a.example", title: "A" },
    { type: "source", url: "https://b.example" },
    { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
  ];
  const { chunks } = await replay([
    { ...delta({ content: "Hi", images }), ...beside },
    { ...delta({}, "stop"), ...beside },
    "[DONE]",
  ]);
  expect(finishedResponse(chunks).message.content).toEqual(expected);
  expect(chunks.filter(({ type }) => type === "source")).toHaveLength(2);
  expect(chunks.filter(({ type }) => type === "file")).toHaveLength(1);
  const message = { role: "assistant", content: "Hi", images };
  const json = JSON.stringify({ id: "c", choices: [{ message, finish_reason: "stop" }], ...beside });
  await using server = await recordedServer({ wire: "openai-chat", json });
  const model = openai("m", { api: "chat", apiKey: "k", baseURL: server.baseURL("openai") });
  expect((await model.generate(hi)).message.content).toEqual(expected);
});

test("A server without the Responses API is named in the error, with the option to pass [providers.openai-responses.not-there]", async () => {
  await using server = await recordedServer({ wire: "openai-responses", json: '{"detail":"Not Found"}', status: 404 });
  const model = openai("m", { apiKey: "k", baseURL: server.baseURL("openai") });
  const { error } = await collectChunks(model.stream(hi));
  expect(error).toMatchObject({
    code: "MODEL_NOT_FOUND",
    message: expect.stringContaining('pass `api: "chat"` to openai()') as string,
  });
});

test("A call of the vendor's own tools that nothing here runs is an error, never the end of a turn [providers.openai-responses.unrun-call]", async () => {
  const call = {
    type: "computer_call",
    id: "cu_1",
    call_id: "call_1",
    status: "completed",
    action: { type: "screenshot" },
  };
  const json = JSON.stringify({ id: "r", status: "completed", output: [call] });
  await using server = await recordedServer({ wire: "openai-responses", json });
  const model = openai("gpt-5.5", { apiKey: "k", baseURL: server.baseURL("openai") });
  await expect(model.generate(hi)).rejects.toThrow('"computer_call", which the vendor leaves to the caller to run');
});
