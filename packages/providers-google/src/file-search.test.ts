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

/** A source with the passage on which the answer rests, as the vendor sent it. */
const withPassage = (source: object, passage: object) => ({
  type: "source",
  ...source,
  providerState: { passages: [passage] },
});

test.each([
  [{ text: "Holidays: 30 days.", fileSearchStore: "fileSearchStores/s1" }, { documentId: "fileSearchStores/s1" }],
  [
    { title: "Holidays", text: "30 days.", fileSearchStore: "fileSearchStores/s1" },
    { title: "Holidays", documentId: "fileSearchStores/s1" },
  ],
  [{ documentName: "documents/d1", fileSearchStore: "fileSearchStores/s1" }, { documentId: "documents/d1" }],
])(
  "a chunk of a file search is a source with its passage, whole and streamed [providers.google.file-search]",
  async (chunk, source) => {
    const { message } = await replaying("gemini-3-flash", whole(answer(chunk))).generate(hi);
    expect(message.content).toContainEqual(withPassage(source, chunk));
    const { chunks } = await collectChunks(replaying("gemini-3-flash", framed([answer(chunk)])).stream(hi));
    expect(finishedResponse(chunks).message.content).toContainEqual(withPassage(source, chunk));
  },
);

test("the passages of one document are kept with one source [providers.google.file-search]", async () => {
  const store = "fileSearchStores/s1";
  const chunks = ["30 days.", "31 days.", "30 days."].map((text) => ({
    retrievedContext: { text, fileSearchStore: store },
  }));
  const { candidates, ...rest } = answer({});
  const several = { ...rest, candidates: [{ ...candidates[0], groundingMetadata: { groundingChunks: chunks } }] };
  const { message } = await replaying("gemini-3-flash", whole(several)).generate(hi);
  expect(message.content.filter(({ type }) => type === "source")).toEqual([
    {
      type: "source",
      documentId: store,
      providerState: { passages: chunks.slice(0, 2).map((one) => one.retrievedContext) },
    },
  ]);
});
