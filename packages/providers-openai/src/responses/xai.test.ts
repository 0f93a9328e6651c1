import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import type { ModelRequest } from "@bailiwick/core";
import { collectChunks, finishedResponse, jsonAt } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { openai, webSearch, xSearch } from "../index.ts";
import { framed, listAt, replaying } from "../replay.fixture.ts";
import { completed, created, look, user } from "./responses.fixture.ts";

const thought = { type: "reasoning", id: "rs_1", summary: [], status: "completed", encrypted_content: "enc==" };
/** A search on X as the server reports it: a custom call that the request does not declare. */
const search = {
  type: "custom_tool_call",
  id: "xs_1",
  call_id: "xs_call_1",
  name: "x_keyword_search",
  input: '{"query":"order"}',
  status: "completed",
};
const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "look", arguments: '{"id":"7"}' };
const output = [thought, search, call];
const tools = [look, webSearch(), xSearch({ allowed_x_handles: ["bailiwick"] })];

/** The events of the answer, with the pieces in which calls are streamed. */
const events = [
  created,
  { type: "response.output_item.done", output_index: 0, item: thought },
  { type: "response.output_item.added", output_index: 1, item: { ...search, input: "", status: "in_progress" } },
  { type: "response.custom_tool_call_input.delta", item_id: "xs_1", output_index: 1, delta: search.input },
  { type: "response.output_item.done", output_index: 1, item: search },
  { type: "response.output_item.done", output_index: 2, item: call },
  completed(output),
];

const sentFor = async (request: Partial<ModelRequest>, model: string): Promise<unknown> => {
  const sent: unknown[] = [];
  const bytes = new TextEncoder().encode(JSON.stringify({ id: "r", status: "completed", output: [] }));
  const grok = replaying(model, { compat: "xai" }, bytes, {}, sent);
  await grok.generate({ messages: [user("Hi")], ...request }).catch(() => undefined);
  return sent[0];
};

test("a search run by xAI is not a call for the caller, and is sent back with the encrypted reasoning, streamed or not [providers.openai-responses.xai]", async () => {
  const sent: unknown[] = [];
  const streamed = replaying("grok-4.3", { compat: "xai" }, framed(events), {}, sent);
  const { chunks, error } = await collectChunks(streamed.stream({ messages: [user("Hi")], tools }));
  expect(error).toBeUndefined();
  expect(chunks.flatMap((chunk) => (chunk.type === "tool_call_start" ? [chunk.toolCall.id] : []))).toEqual(["call_1"]);
  const body = JSON.stringify({
    id: "resp_1",
    status: "completed",
    output,
    usage: { input_tokens: 1, output_tokens: 2 },
  });
  const whole = replaying("grok-4.3", { compat: "xai" }, new TextEncoder().encode(body));
  const answers = [finishedResponse(chunks), await whole.generate({ messages: [user("Hi")], tools })];
  for (const { message, finishReason } of answers) {
    expect(finishReason).toBe("tool_calls");
    expect(message.content).toMatchObject([
      { type: "reasoning" },
      { type: "hosted_tool", toolName: "x_keyword_search", input: '{"query":"order"}' },
      { type: "tool_call", toolCallId: "call_1" },
    ]);
    expect(message.toolCalls.map(({ name }) => name)).toEqual(["look"]);
    const result = { id: "t", role: "tool", toolCallId: "call_1", toolName: "look", content: "Paid." } as const;
    const { messages, warnings } = compileHistory([user("Hi"), message, result], historyTarget(streamed));
    expect(warnings).toEqual([]);
    await collectChunks(streamed.stream({ messages, tools }));
    expect(listAt(sent.at(-1), "input").slice(1, 3)).toMatchObject([{ encrypted_content: "enc==" }, search]);
  }
});

test("xAI gets its search tools, a supported effort, and a request for encrypted reasoning [providers.openai-responses.xai]", async () => {
  const effort = { reasoning: { enabled: true, effort: "max" } } as const;
  const body = await sentFor({ tools, temperature: 0.2, ...effort }, "grok-4.3");
  expect(body).toMatchObject({ store: false, reasoning: { effort: "high" }, temperature: 0.2 });
  expect(jsonAt(body, "reasoning")).not.toHaveProperty("summary");
  expect(listAt(body, "tools").slice(1)).toEqual([
    { type: "web_search" },
    { type: "x_search", allowed_x_handles: ["bailiwick"] },
  ]);
  expect(jsonAt(body, "include")).toContain("reasoning.encrypted_content");
  expect(await sentFor(effort, "grok-4-0709")).not.toHaveProperty("reasoning");
  expect(await sentFor(effort, "grok-3-mini")).toMatchObject({ reasoning: { effort: "high" } });
});

test("a search on X is not offered to another vendor, and settings that xAI refuses throw [providers.openai-responses.xai]", async () => {
  const sent: unknown[] = [];
  await collectChunks(replaying("gpt-5.5", {}, framed(events), {}, sent).stream({ messages: [user("Hi")], tools }));
  expect(listAt(sent[0], "tools").map(({ type }) => type)).toEqual(["function", "web_search"]);
  expect(openai("grok-4.3", { compat: "xai" }).api).toBe("responses");
  const many = Array.from({ length: 11 }, (_, index) => `handle${index}`);
  for (const settings of [{ allowed_x_handles: many }, { allowed_x_handles: ["a"], excluded_x_handles: ["b"] }])
    expect(() => xSearch(settings)).toThrow(expect.objectContaining({ code: "INVALID_HOSTED_TOOL" }) as Error);
});
