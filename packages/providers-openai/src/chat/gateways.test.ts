import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { recordedServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { openai } from "../index.ts";
import { delta, end, head, replay, user } from "./chat.fixture.ts";

const hi = { messages: [user("Hi")] };

test("The message of an error inside a choice reaches the caller [providers.openai-chat.gateway-errors]", async () => {
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

test("Images and citations from a gateway are read, streamed or not [providers.openai-chat.gateway-extras]", async () => {
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

test("The error for a server without the Responses API names the option to pass [providers.openai-responses.not-there]", async () => {
  await using server = await recordedServer({ wire: "openai-responses", json: '{"detail":"Not Found"}', status: 404 });
  const model = openai("m", { apiKey: "k", baseURL: server.baseURL("openai") });
  const { error } = await collectChunks(model.stream(hi));
  expect(error).toMatchObject({
    code: "MODEL_NOT_FOUND",
    message: expect.stringContaining('pass `api: "chat"` to openai()') as string,
  });
});

test("A call of a vendor tool that is not run here is an error, never a finished turn [providers.openai-responses.unrun-call]", async () => {
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
  await expect(model.generate(hi)).rejects.toThrow('"computer_call", which nothing here runs');
});

test("A MiniMax error with status 200 keeps its code and message [providers.openai-chat.gateway-errors]", async () => {
  const cases = [
    [1004, "MODEL_AUTHENTICATION_FAILED"],
    [1002, "MODEL_RATE_LIMITED"],
    [2013, "MODEL_API_ERROR"],
    [1000, "MODEL_UNAVAILABLE"],
  ] as const;
  const codes: unknown[] = [];
  for (const [number] of cases) {
    const json = JSON.stringify({ choices: null, base_resp: { status_code: number, status_msg: `number ${number}` } });
    await using server = await recordedServer({ wire: "openai-chat", json });
    const model = openai("m", { compat: "minimax", apiKey: "k", baseURL: server.baseURL("openai") });
    const error = (await model.generate(hi).catch((reason: unknown) => reason)) as { code: string; message: string };
    expect(error.message).toContain(`number ${number}`);
    codes.push(error.code);
  }
  expect(codes).toEqual(cases.map(([, code]) => code));
});

test("A conversation without a first user message gets one if templates require it, and Mistral gets no answer at the end [providers.openai-chat.compat.roles]", async () => {
  const answer = {
    id: "a",
    role: "assistant",
    content: [{ type: "text", text: "Good day." }],
    toolCalls: [],
    finishReason: "stop",
    provenance: { provider: "other", api: "chat", model: "m" },
  } as const;
  const roles = async (compat: "mistral" | "vllm" | "openai"): Promise<unknown> => {
    await using server = await recordedServer({ wire: "openai-chat", json: "{}" });
    const model = openai("m", { api: "chat", compat, apiKey: "k", baseURL: server.baseURL("openai") });
    await model.generate({ messages: [answer] }).catch(() => undefined);
    const body = server.requests[0]?.body as { readonly messages: readonly { readonly role: string }[] };
    return body.messages.map(({ role }) => role);
  };
  expect(await roles("vllm")).toEqual(["user", "assistant"]);
  expect(await roles("mistral")).toEqual(["user", "assistant", "user"]);
  expect(await roles("openai")).toEqual(["assistant"]);
});
