import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type Message } from "@bailiwick/core";
import { collectChunks, finishedResponse, jsonAt } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { answer, look, result, user } from "./ask.fixture.ts";
import { google } from "./index.ts";

/** An answer that another project's key signed. */
const moved = answer(
  "gemini-3-pro",
  [
    { type: "reasoning", text: "Hm." },
    { type: "text", text: "Looking.", providerState: { signature: "ZWxzZXdoZXJl" } },
    { type: "tool_call", toolCallId: "call1" },
  ],
  [{ id: "call1", name: "look", arguments: "{}", providerState: { signature: "ZWxzZXdoZXJl" } }],
);

test("a conversation moved to another project continues without the signatures that the new project refuses [providers.rule.unreadable-state]", async () => {
  await using server = await modelServer([{ reasoning: "Again.", toolCalls: [{ name: "look" }] }, { text: "Done." }]);
  const model = google("gemini-3-pro", { apiKey: "test", baseURL: server.baseURL("google") });
  const ask = (messages: readonly Message[]) => ({
    messages: compileHistory(messages, historyTarget(model)).messages,
    tools: [look],
  });
  const history = [user("Hi"), moved, result("call1", "seen")];
  const { message, warnings } = finishedResponse((await collectChunks(model.stream(ask(history)))).chunks);
  expect(warnings.map(({ code }) => code)).toEqual(["reasoning_dropped", "thought_signature_missing"]);
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual(["google.thought-signature-invalid", undefined]);
  expect(jsonAt(server.requests[1]?.body, "contents", 1, "parts")).toEqual([
    { text: "Looking." },
    {
      functionCall: { id: "call1", name: "look", args: {} },
      thoughtSignature: "skip_thought_signature_validator",
    },
  ]);
  const results = message.toolCalls.map(({ id }) => result(id, "seen"));
  const next = await model.generate(ask([...history, message, ...results]));
  expect(next.message.content.some((part) => part.type === "text" && part.text === "Done.")).toBe(true);
  expect(server.requests).toHaveLength(3);
});
