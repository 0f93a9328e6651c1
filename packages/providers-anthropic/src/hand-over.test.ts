import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type Message } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { foreign, look, result, user } from "./ask.fixture.ts";
import { anthropic } from "./index.ts";

const models = ["claude-sonnet-4-5", "claude-opus-4-6", "claude-opus-5-5", "claude-3-5-haiku-latest"] as const;

for (const from of models) {
  for (const to of models) {
    test(`a conversation moves from ${from} to ${to} and back [providers.proof.hand-over] [providers.rule.provenance.other]`, async () => {
      await using server = await modelServer(({ turn, tools }) =>
        turn % 2 === 0
          ? {
              reasoning: `Thought ${turn}.`,
              text: `Looking ${turn}.`,
              toolCalls: [{ name: tools[0]?.name ?? "" }, { name: tools[0]?.name ?? "" }],
            }
          : `Answer ${turn}.`,
      );
      const other = foreign(
        [
          { type: "reasoning", text: "Other." },
          { type: "tool_call", toolCallId: "fc.1|x" },
        ],
        ["fc.1|x"],
      );
      const messages: Message[] = [
        { id: "s", role: "system", content: "Help." },
        user("Hi"),
        other,
        result("fc.1|x", "found"),
      ];
      for (const id of [from, to, to, from, from]) {
        const model = anthropic(id, { apiKey: "k", baseURL: server.baseURL("anthropic") });
        const history = compileHistory(messages, historyTarget(model));
        const { chunks, error } = await collectChunks(model.stream({ messages: history.messages, tools: [look] }));
        expect(error).toBeUndefined();
        const { message } = finishedResponse(chunks);
        messages.push(message, ...message.toolCalls.map((call) => result(call.id, "found")));
        if (message.toolCalls.length === 0) messages.push({ ...user("And?"), id: `u${messages.length}` });
      }
      expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      const last = server.requests.at(-1)?.text ?? "";
      for (const said of ["Looking 0.", "Answer 1.", "Looking 2.", "Answer 3."]) expect(last).toContain(said);
      // Thinking is sent back to the model that made it, and to no other.
      expect(last.includes("Thought 0.")).toBe(from !== "claude-3-5-haiku-latest");
      expect(last.includes("Thought 2.")).toBe(from === to && from !== "claude-3-5-haiku-latest");
      expect(last).not.toContain("Other.");
    });
  }
}
