import { answerText } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { user } from "./ask.fixture.ts";
import { framed, replaying } from "./replay.fixture.ts";

const messages = [user("Hi")];
const candidate = (index: number, text: string, more: object = {}): object => ({
  content: { role: "model", parts: [{ text }] },
  index,
  ...more,
});

test("only the first streamed candidate is read, and an unread page gives a warning [providers.google.first-answer]", async () => {
  const urlMetadata = [{ retrievedUrl: "https://example.org/no", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_ERROR" }];
  const ended = { finishReason: "STOP", urlContextMetadata: { urlMetadata } };
  const events = [
    { candidates: [candidate(0, "One"), candidate(1, "Two")] },
    { candidates: [candidate(1, ".", { finishReason: "STOP" })] },
    { candidates: [candidate(0, ".", ended)] },
  ];
  const model = replaying("gemini-3-pro", framed(events));
  const { chunks } = await collectChunks(model.stream({ messages }));
  const response = finishedResponse(chunks);
  expect(answerText(response.message)).toBe("One.");
  expect(response.warnings).toMatchObject([
    { code: "answers_unused" },
    { code: "page_unread", subject: "https://example.org/no" },
  ]);
});
