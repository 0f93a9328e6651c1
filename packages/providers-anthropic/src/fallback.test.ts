import { answerText } from "@bailiwick/core";
import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { jsonAt } from "@bailiwick/testing";
import { recordedServer, type Recording } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { look, user } from "./ask.fixture.ts";
import { anthropic, anthropicOptions } from "./index.ts";
import { replaying } from "./replay.fixture.ts";

const fallback = { type: "fallback", from: { model: "claude-opus-5" }, to: { model: "claude-opus-4-8" } };
const search = { type: "server_tool_use", name: "web_search", input: {} };
const found = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };
const thought = { type: "thinking", thinking: "Second plan.", signature: "sig-b" };
const content = [
  { type: "thinking", thinking: "First plan.", signature: "sig-a" },
  { type: "text", text: "First half," },
  { ...search, id: "srvtoolu_1" },
  found,
  { ...search, id: "srvtoolu_2" },
  { type: "tool_use", id: "toolu_1", name: "look", input: { place: "left" } },
  fallback,
  thought,
  { type: "text", text: " second half." },
  { type: "tool_use", id: "toolu_2", name: "look", input: { place: "right" } },
];
const answer = { id: "msg_1", type: "message", role: "assistant", model: "claude-opus-4-8", stop_reason: "tool_use" };
const bytes = (body: object): Uint8Array => new TextEncoder().encode(JSON.stringify(body));

test("after another model took over, calls of the first do not run, and only what the vendor accepts is sent back [providers.anthropic.fallback]", async () => {
  const sent: unknown[] = [];
  const model = replaying("claude-opus-5", {}, bytes({ ...answer, content }), {}, sent);
  const { message, warnings } = await model.generate({ messages: [user("Hi")], tools: [look] });
  expect(message.toolCalls.map(({ id }) => id)).toEqual(["toolu_2"]);
  expect(answerText(message)).toBe("First half, second half.");
  expect(warnings.filter(({ code }) => code === "call_dropped").map(({ subject }) => subject)).toEqual([
    "web_search",
    "look",
  ]);
  const result = { id: "r", role: "tool", toolCallId: "toolu_2", toolName: "look", content: "There." } as const;
  const { messages } = compileHistory([user("Hi"), message, result], historyTarget(model));
  await model.generate({ messages, tools: [look] });
  expect(jsonAt(sent[1], "messages", 1, "content")).toMatchObject([
    { type: "text", text: "First half," },
    { type: "server_tool_use", id: "srvtoolu_1" },
    { type: "web_search_tool_result" },
    fallback,
    thought,
    { type: "text", text: " second half." },
    { type: "tool_use", id: "toolu_2" },
  ]);
});

test("an answer that paused for its compaction is continued [providers.anthropic.pause-turn]", async () => {
  const compaction = { type: "compaction", content: "So far.", encrypted_content: null };
  const paused = { ...answer, content: [compaction], stop_reason: "compaction" };
  const ended = { ...answer, content: [{ type: "text", text: "On." }], stop_reason: "end_turn" };
  await using server = await recordedServer((index): Recording => {
    return { wire: "anthropic-messages", json: JSON.stringify(index === 0 ? paused : ended) };
  });
  const model = anthropic("claude-opus-5", { apiKey: "k", baseURL: server.baseURL("anthropic") });
  const contextManagement = { edits: [{ type: "compact_20260112", pause_after_compaction: true }] };
  const providerOptions = anthropicOptions({ contextManagement });
  const response = await model.generate({ messages: [user("Hi")], providerOptions });
  expect(jsonAt(server.requests[1]?.body, "messages", 1)).toEqual({ role: "assistant", content: [compaction] });
  expect(answerText(response.message)).toBe("On.");
  expect(response).toMatchObject({ finishReason: "stop", warnings: [] });
});
