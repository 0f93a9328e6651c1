import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type Message, type ToolDefinition } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { openai, type OpenAIOptions } from "./index.ts";

const models = [
  { id: "gpt-5.5", api: "responses" },
  { id: "gpt-4.1", api: "responses" },
  { id: "gpt-5.5", api: "chat" },
  { id: "gpt-4.1", api: "chat" },
] as const;
const look: ToolDefinition = {
  type: "function",
  name: "orders.look",
  description: "Looks.",
  inputSchema: { type: "object", properties: {} },
};

for (const from of models) {
  for (const to of models) {
    test(`a conversation moves from ${from.api} ${from.id} to ${to.api} ${to.id} and back [providers.proof.hand-over] [providers.openai-responses.other-model]`, async () => {
      await using server = await modelServer(({ turn, tools }) =>
        turn % 2 === 0
          ? {
              reasoning: `Thought ${turn}.`,
              text: `Looking ${turn}.`,
              toolCalls: [{ name: tools[0]?.name ?? "" }, { name: tools[0]?.name ?? "" }],
            }
          : `Answer ${turn}.`,
      );
      const options: OpenAIOptions = { apiKey: "test", baseURL: server.baseURL("openai") };
      const messages: Message[] = [
        { id: "s", role: "system", content: "Help." },
        { id: "u", role: "user", content: "Hi" },
      ];
      for (const { id, api } of [from, to, to, from, from]) {
        const model = openai(id, { ...options, api });
        const { chunks, error } = await collectChunks(
          model.stream({ messages: compileHistory(messages, historyTarget(model)).messages, tools: [look] }),
        );
        expect(error).toBeUndefined();
        const { message } = finishedResponse(chunks);
        messages.push(message);
        for (const call of message.toolCalls) {
          messages.push({
            id: `r${call.id}`,
            role: "tool",
            toolCallId: call.id,
            toolName: call.name,
            content: "found",
          });
        }
        if (message.toolCalls.length === 0) messages.push({ id: `u${messages.length}`, role: "user", content: "And?" });
      }
      expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      const last = server.requests.at(-1)?.text ?? "";
      for (const text of ["Looking 0.", "Answer 1.", "Looking 2.", "Answer 3."]) expect(last).toContain(text);
      const own = from.id === "gpt-5.5" && from.api === "responses";
      expect(last.includes('encrypted_content":')).toBe(own);
    });
  }
}
