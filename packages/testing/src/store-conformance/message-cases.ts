import assert from "node:assert/strict";
import { BailiwickError, type Message } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { storeCase } from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

const user = (content: unknown): object => ({ id: "m", role: "user", content });
const answer = (changed: object): object => ({
  id: "m",
  role: "assistant",
  content: [],
  toolCalls: [],
  finishReason: "stop",
  provenance: { provider: "p", api: "a", model: "m" },
  ...changed,
});
const without = (name: string): object =>
  Object.fromEntries(Object.entries(answer({})).filter(([key]) => key !== name));

/** Values that people put into a conversation, and that no run could read; each with the path that the error names. */
const odd: readonly (readonly [what: string, message: unknown, path: string])[] = [
  ["null", null, "role"],
  ["no value", undefined, "role"],
  ["a text", "hello", "role"],
  ["a number", 5, "role"],
  ["a list", [], "role"],
  ["an unknown role", { id: "m", role: "robot", content: "hi" }, "role"],
  ["a message without an id", { role: "user", content: "hi" }, "id"],
  ["an id that is a number", { id: 5, role: "user", content: "hi" }, "id"],
  ["a user message without content", user(null), "content"],
  ["content that is a number", user(5), "content"],
  ["a part that is null", user([null]), "content[0]"],
  ["a text part without text", user([{ type: "text" }]), "content[0]"],
  ["an image without data", user([{ type: "image" }]), "content[0]"],
  [
    "an image of OpenAI's form",
    user([{ type: "image_url", image_url: { url: "https://a.example/b.png" } }]),
    "content[0]",
  ],
  ["a date in a part", user([{ type: "text", text: "hi", at: new Date(0) }]), "content[0].at"],
  ["a message of the AI SDK's page", { id: "m", role: "user", parts: [{ type: "text", text: "hi" }] }, "content"],
  ["instructions in parts", { id: "m", role: "system", content: [{ type: "text", text: "hi" }] }, "content"],
  ["an answer that is text", answer({ content: "hi" }), "content"],
  ["an answer that is null", answer({ content: null }), "content"],
  ["an answer in OpenAI's form", { role: "assistant", content: "hi" }, "id"],
  ["an answer without calls", without("toolCalls"), "toolCalls"],
  ["calls that are null", answer({ toolCalls: null }), "toolCalls"],
  [
    "arguments that are an object",
    answer({ toolCalls: [{ id: "c", name: "t", arguments: { a: 1 } }] }),
    "toolCalls[0].arguments",
  ],
  ["an answer without a reason", without("finishReason"), "finishReason"],
  ["an answer without its model", without("provenance"), "provenance"],
  ["an unknown part", answer({ content: [{ type: "video", data: "AA==" }] }), "content[0]"],
  [
    "a call of the AI SDK",
    answer({ content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input: {} }] }),
    "content[0]",
  ],
  [
    "a result of the AI SDK",
    {
      id: "m",
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "c", toolName: "t", output: { type: "text", value: "x" } }],
    },
    "toolCallId",
  ],
  ["a result in OpenAI's form", { id: "m", role: "tool", tool_call_id: "c", content: "x" }, "toolCallId"],
];

/** [memory.session-store.checked] Sessions refuse what no run could read. */
export function messageCases(setup: StoreSetup): readonly ConformanceCase[] {
  return odd.map(([what, message, path]) =>
    storeCase(
      setup,
      `a session refuses ${what}, in each function that takes messages, and keeps what it had [memory.session-store.checked]`,
      async ({ sessions }) => {
        if (sessions === undefined) return;
        const good: Message = { id: "u1", role: "user", content: "hi" };
        await sessions.append("s", [good], { runId: "r1", seq: 1 });
        const refused = (code: string, index: string) => (error: unknown) => {
          assert.ok(BailiwickError.isInstance(error), `a typed error, not ${String(error)}`);
          assert.equal(error.code, code);
          assert.ok(error.message.includes(index) && error.message.includes(path), error.message);
          return true;
        };
        const given = message as Message;
        await assert.rejects(
          sessions.append("s", [good, given], { runId: "r2", seq: 1 }),
          refused("INVALID_MESSAGE", "Message 1"),
        );
        await assert.rejects(
          sessions.append("new", [given], { runId: "r2", seq: 1 }),
          refused("INVALID_MESSAGE", "Message 0"),
        );
        await assert.rejects(sessions.edit("s", "u1", given), refused("INVALID_MESSAGE", "Message 0"));
        const text = JSON.stringify(message);
        // A date would be text in an export.
        if (text !== undefined && !text.includes("1970"))
          await assert.rejects(
            sessions.import(`${await sessions.export("s")}${text}\n`, { id: "new" }),
            (error: unknown) =>
              BailiwickError.isInstance(error) && error.code === "CORRUPT_EXPORT" && error.message.includes("Line 3"),
          );
        assert.deepEqual((await sessions.load("s")).messages, [good]);
        assert.deepEqual(
          (await sessions.list()).map(({ id }) => id),
          ["s"],
        );
      },
    ),
  );
}
