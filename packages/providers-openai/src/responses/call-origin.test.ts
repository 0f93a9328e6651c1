import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import type { ToolMessage } from "@bailiwick/core";
import { jsonAt } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { look, user } from "../ask.fixture.ts";
import { replaying } from "../replay.fixture.ts";

const call = { type: "function_call", status: "completed", name: "look", arguments: "{}" };
const answerOf = (...output: readonly object[]): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ id: "resp_1", status: "completed", model: "gpt-5.5", output }));

/** The items of the second request, after an answer and the results of its calls. */
async function secondInput(...output: readonly object[]): Promise<readonly object[]> {
  const sent: unknown[] = [];
  const model = replaying("gpt-5.5", {}, answerOf(...output), {}, sent);
  const { message } = await model.generate({ messages: [user("Hi")], tools: [look] });
  const results = message.toolCalls.map(({ id, name }): ToolMessage => ({
    id: `r-${id}`,
    role: "tool",
    toolCallId: id,
    toolName: name,
    content: "There.",
  }));
  const { messages } = compileHistory([user("Hi"), message, ...results], historyTarget(model));
  await model.generate({ messages, tools: [look] });
  return (jsonAt(sent[1], "input") as readonly object[]).slice(1);
}

test("a call of a tool in a namespace is sent back with the namespace [providers.openai-responses.call-origin]", async () => {
  const [first, second] = await secondInput(
    { ...call, id: "fc_1", call_id: "call_1", namespace: "crm", caller: { type: "direct" } },
    { ...call, id: "fc_2", call_id: "call_2" },
  );
  expect(first).toMatchObject({ type: "function_call", call_id: "call_1", namespace: "crm" });
  expect(first).not.toHaveProperty("caller");
  expect(second).not.toHaveProperty("namespace");
});

test("a custom tool's call in a namespace is sent back with the namespace [providers.openai-responses.call-origin]", async () => {
  const [item, output] = await secondInput({
    type: "custom_tool_call",
    id: "ctc_1",
    call_id: "call_1",
    name: "run_sql",
    namespace: "db",
    input: "SELECT 1",
  });
  expect(item).toMatchObject({ type: "custom_tool_call", namespace: "db", input: "SELECT 1" });
  expect(output).toMatchObject({ type: "custom_tool_call_output", call_id: "call_1" });
});

test("a call made by the vendor's program is sent back as such, and so is its result [providers.openai-responses.call-origin]", async () => {
  const caller = { type: "program", caller_id: "call_p" };
  const [program, item, output] = await secondInput(
    { type: "program", id: "prog_1", call_id: "call_p", code: "await look()", fingerprint: "fp" },
    { ...call, id: "fc_1", call_id: "call_1", caller },
  );
  expect(program).toMatchObject({ type: "program", call_id: "call_p", fingerprint: "fp" });
  expect(item).toMatchObject({ type: "function_call", caller });
  expect(output).toMatchObject({ type: "function_call_output", call_id: "call_1", caller, output: "There." });
});

test("an answer that repeats an item keeps the namespace of its calls [providers.openai-responses.repeated-items]", async () => {
  const sent: unknown[] = [];
  const model = replaying(
    "gpt-5.5",
    {},
    answerOf({ ...call, id: "fc_1", call_id: "call_1", namespace: "crm" }),
    {},
    sent,
  );
  const { message } = await model.generate({ messages: [user("Hi")], tools: [look] });
  const again = { ...message, id: "again" };
  const result = (id: string): ToolMessage => ({
    id,
    role: "tool",
    toolCallId: "call_1",
    toolName: "look",
    content: "",
  });
  const { messages } = compileHistory([user("Hi"), message, result("r1"), again, result("r2")], historyTarget(model));
  await model.generate({ messages, tools: [look] });
  const calls = (jsonAt(sent[1], "input") as readonly Record<string, unknown>[]).filter(
    ({ type }) => type === "function_call",
  );
  expect(calls.map(({ id, namespace }) => [id, namespace])).toEqual([
    ["fc_1", "crm"],
    [undefined, "crm"],
  ]);
});

test("a tool search that is left to the caller is an error [providers.openai-responses.unrun-call]", async () => {
  const item = { type: "tool_search_call", id: "tsc_1", call_id: "call_1", execution: "client", arguments: {} };
  await expect(secondInput(item)).rejects.toMatchObject({ code: "MODEL_RESPONSE_INVALID", retryable: false });
});
