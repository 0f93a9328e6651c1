import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { user } from "./ask.fixture.ts";
import { framed, replaying, whole } from "./replay.fixture.ts";

const hi = { messages: [user("Hi")] };

const answer = (retrievedContext: object) => ({
  candidates: [
    {
      content: { role: "model", parts: [{ text: "30 days." }] },
      finishReason: "STOP",
      groundingMetadata: { groundingChunks: [{ retrievedContext }] },
    },
  ],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
});

test.each([
  [{ text: "Holidays: 30 days.", fileSearchStore: "fileSearchStores/s1" }, { documentId: "fileSearchStores/s1" }],
  [
    { title: "Holidays", text: "30 days.", fileSearchStore: "fileSearchStores/s1" },
    { title: "Holidays", documentId: "fileSearchStores/s1" },
  ],
  [{ documentName: "documents/d1", fileSearchStore: "fileSearchStores/s1" }, { documentId: "documents/d1" }],
])("a chunk of a file search is a source, whole and streamed [providers.google.file-search]", async (chunk, source) => {
  const { message } = await replaying("gemini-3-flash", whole(answer(chunk))).generate(hi);
  expect(message.content).toContainEqual({ type: "source", ...source });
  const { chunks } = await collectChunks(replaying("gemini-3-flash", framed([answer(chunk)])).stream(hi));
  expect(finishedResponse(chunks).message.content).toContainEqual({ type: "source", ...source });
});
