import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type Message } from "@bailiwick/core";
import { collectChunks, finishedResponse, jsonAt } from "@bailiwick/testing";
import { modelServer, recordedServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { openai } from "../index.ts";
import { listAt } from "../replay.fixture.ts";
import { look, user } from "./responses.fixture.ts";

/** An answer whose reasoning another organization's key encrypted. */
const moved: Message = {
  id: "a",
  role: "assistant",
  content: [
    {
      type: "reasoning",
      text: "Hm.",
      providerState: { id: "rs_1", summary: [], encrypted: "gAAAAABelsewhere", follower: "fc_1" },
    },
    { type: "tool_call", toolCallId: "call_1" },
  ],
  toolCalls: [{ id: "call_1", name: "look", arguments: "{}", providerState: { id: "fc_1", after: "rs_1" } }],
  finishReason: "tool_calls",
  provenance: { provider: "openai", api: "responses", model: "gpt-5.5" },
};
const seen: Message = { id: "r", role: "tool", toolCallId: "call_1", toolName: "look", content: "seen" };

test("a conversation moved to another key continues without the reasoning that is unreadable there [providers.rule.unreadable-state]", async () => {
  await using server = await modelServer([{ reasoning: "Again.", toolCalls: [{ name: "look" }] }, { text: "Done." }]);
  const model = openai("gpt-5.5", { apiKey: "test", baseURL: server.baseURL("openai") });
  const ask = (messages: readonly Message[]) => ({
    messages: compileHistory(messages, historyTarget(model)).messages,
    tools: [look],
  });
  const history = [user("Hi"), moved, seen];
  const { chunks } = await collectChunks(model.stream(ask(history)));
  const { message, warnings } = finishedResponse(chunks);
  expect(warnings).toMatchObject([{ code: "reasoning_dropped" }]);
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual(["responses.encrypted-content-invalid", undefined]);
  const again = listAt(server.requests[1]?.body, "input");
  expect(again.map(({ type }) => type)).toEqual(["message", "function_call", "function_call_output"]);
  expect(again[1]).not.toHaveProperty("id");

  // Data that the new key encrypted is sent back, and nothing is refused twice.
  const results = message.toolCalls.map(({ id }): Message => ({ ...seen, id: `r:${id}`, toolCallId: id }));
  const next = await model.generate(ask([...history, message, ...results]));
  expect(next.message.content).toMatchObject([{ type: "text", text: "Done." }]);
  expect(server.requests).toHaveLength(3);
  expect(listAt(server.requests[2]?.body, "input").map(({ type }) => type)).toEqual([
    "message",
    "function_call",
    "function_call_output",
    "reasoning",
    "function_call",
    "function_call_output",
  ]);
});

test("the request is repeated once, and only if something was left out [providers.rule.unreadable-state]", async () => {
  const json = JSON.stringify({
    error: {
      message: "The encrypted content gAAA...here could not be verified.",
      code: null,
      type: "invalid_request_error",
    },
  });
  await using server = await recordedServer({ wire: "openai-responses", json, status: 400 });
  const model = openai("gpt-5.5", { apiKey: "test", baseURL: server.baseURL("openai") });
  await expect(model.generate({ messages: [user("Hi"), moved, seen], tools: [look] })).rejects.toMatchObject({
    status: 400,
  });
  expect(server.requests).toHaveLength(2);
  await expect(model.generate({ messages: [user("Hi")] })).rejects.toMatchObject({ status: 400, retryable: false });
  expect(server.requests).toHaveLength(3);
  expect(jsonAt(server.requests[2]?.body, "input")).toHaveLength(1);
});
