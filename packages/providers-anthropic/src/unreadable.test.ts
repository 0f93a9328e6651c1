import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type Message } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { look, result, shape, user, type Sent } from "./ask.fixture.ts";
import { anthropic } from "./index.ts";

/** An answer whose thinking another platform signed. */
const moved: Message = {
  id: "a",
  role: "assistant",
  content: [
    { type: "reasoning", text: "Hm.", providerState: { signature: "EqoBelsewhere" } },
    { type: "tool_call", toolCallId: "toolu_1" },
  ],
  toolCalls: [{ id: "toolu_1", name: "look", arguments: "{}" }],
  finishReason: "tool_calls",
  provenance: { provider: "anthropic", api: "messages", model: "claude-opus-5" },
};

test("a conversation moved to another platform continues without thinking whose signature is refused there [providers.rule.unreadable-state]", async () => {
  await using server = await modelServer([{ reasoning: "Again.", toolCalls: [{ name: "look" }] }, { text: "Done." }]);
  const model = anthropic("claude-opus-5", { apiKey: "test", baseURL: server.baseURL("anthropic") });
  const ask = (messages: readonly Message[]) => ({
    messages: compileHistory(messages, historyTarget(model)).messages,
    tools: [look],
    sessionId: "s",
  });
  const history = [user("Hi"), moved, result("toolu_1", "seen")];
  const { message, warnings } = finishedResponse((await collectChunks(model.stream(ask(history)))).chunks);
  expect(warnings).toMatchObject([{ code: "reasoning_dropped" }]);
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual([
    "anthropic.thinking-signature-invalid",
    undefined,
  ]);
  const results = message.toolCalls.map(({ id }) => result(id, "seen"));
  const next = await model.generate(ask([...history, message, ...results]));
  expect(next.message.content).toMatchObject([{ type: "text", text: "Done." }]);
  expect(shape(server.requests[2]?.body as Sent)).toEqual([
    ["user", ["text"]],
    ["assistant", ["tool_use"]],
    ["user", ["tool_result"]],
    ["assistant", ["thinking", "tool_use"]],
    ["user", ["tool_result"]],
  ]);
});
