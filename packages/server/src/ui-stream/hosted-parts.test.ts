import { createAgentRuntime, memoryStore, type AssistantPart, type ModelProvider } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { uiEncoder } from "./ui-encoder.ts";
import { readMessage } from "./ui-message.fixture.ts";

/** A model whose vendor ran a tool, and reports it in these parts. */
function hosting(content: readonly AssistantPart[]): ModelProvider {
  const model = scriptedModel(["Done."]);
  return {
    ...model,
    async generate(request) {
      const response = await model.generate(request);
      return { ...response, message: { ...response.message, content: [...content, ...response.message.content] } };
    },
  };
}

test("a call that a vendor ran is one part with its input and its output, in every form in which vendors report it", async () => {
  const call = { type: "hosted_tool", toolName: "code_execution" } as const;
  const model = hosting([
    { ...call, toolCallId: "a", input: { code: "print(6*7)" } },
    { ...call, toolCallId: "b", input: { code: "1/0" } },
    { ...call, toolCallId: "a", output: { output: "42" } },
    { ...call, toolCallId: "b", output: "ZeroDivisionError", isError: true },
    { ...call, toolCallId: "c", toolName: "web_search", input: { query: "x" }, output: [1] },
  ]);
  const agent = createAgentRuntime({ name: "clerk", model, store: memoryStore() });
  const { runId } = await agent.run("Begin.");
  const encoder = uiEncoder({ runId });
  const { events } = await agent.inspect(runId);
  const { message, errors } = await readMessage([...events.flatMap((event) => encoder.push(event)), ...encoder.end()]);
  expect(errors).toEqual([]);
  expect(message?.parts).toMatchObject([
    { type: "step-start" },
    {
      type: "tool-code_execution",
      toolCallId: "a",
      state: "output-available",
      input: { code: "print(6*7)" },
      output: { output: "42" },
    },
    {
      type: "tool-code_execution",
      toolCallId: "b",
      state: "output-error",
      input: { code: "1/0" },
      errorText: '"code_execution" failed (execution_failed).',
    },
    { type: "tool-web_search", toolCallId: "c", state: "output-available", input: { query: "x" }, output: [1] },
    { type: "text", text: "Done." },
  ]);
});
