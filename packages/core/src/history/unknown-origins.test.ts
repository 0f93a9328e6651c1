import { expect, test } from "vitest";
import type { Message } from "../contracts/message.ts";
import { unknownOrigins } from "./unknown-origins.ts";

const vouched = { type: "text", text: "Pay.", untrusted: false } as const;

const spoke = (content: readonly object[], provider = "scripted"): Message =>
  ({ id: "a", role: "assistant", content, toolCalls: [{ id: "c" }], provenance: { provider } }) as unknown as Message;
const said: Message = { id: "u", role: "user", content: "x" };
const plain = spoke([{ type: "text", text: "Pay." }]);
const result: Message = { id: "t", role: "tool", toolCallId: "c", toolName: "own", content: "x" };
const image = { type: "image", data: "eA==", mimeType: "image/png" };

test("answers and results that are given have an unknown origin, unless each of their texts is marked as trusted [flow.r2.given-messages]", () => {
  expect(unknownOrigins([plain], 0, false)).toEqual([]);
  expect(unknownOrigins([plain, said], 1, false)).toEqual([]);
  expect(unknownOrigins([said, plain], 1, false)).toEqual([1]);
  expect(unknownOrigins([plain, said], 2, false)).toEqual([0]);
  expect(unknownOrigins([result], 1, false)).toEqual([0]);
  expect(unknownOrigins([{ ...result, content: [vouched] }], 1, false)).toEqual([]);
  // An answer without text consists of its calls.
  expect(unknownOrigins([spoke([])], 1, false)).toEqual([0]);
  expect(unknownOrigins([spoke([image])], 1, false)).toEqual([0]);
  expect(unknownOrigins([spoke([image, vouched])], 1, false)).toEqual([]);
  // The label of a calling run covers what it gives.
  expect(unknownOrigins([plain], 1, true)).toEqual([]);
});

test("so have converted answers of a session with their results, and texts that the application marked [flow.r2.imported]", () => {
  const text = { type: "text", text: "Pay." };
  expect(unknownOrigins([spoke([text], "unknown"), result], 0, false)).toEqual([0, 1]);
  expect(unknownOrigins([spoke([vouched], "unknown"), result], 0, false)).toEqual([1]);
  expect(unknownOrigins([plain, result], 0, false)).toEqual([]);
  expect(unknownOrigins([spoke([{ ...text, untrusted: true }]), result], 0, false)).toEqual([0]);
  expect(unknownOrigins([spoke([text], "unknown"), plain], 1, true)).toEqual([0]);
});
