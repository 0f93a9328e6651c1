import { answerText } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { user } from "../ask.fixture.ts";
import { framed, replaying } from "../replay.fixture.ts";

const messages = [user("Hi")];
const piece = (index: number, content: string, finish_reason: string | null = null): object => ({
  choices: [{ index, delta: { content }, finish_reason }],
});

test("only the first streamed choice is read, with a warning [providers.openai-chat.first-answer]", async () => {
  const events = [piece(0, "One"), piece(1, "Two"), piece(1, ".", "stop"), piece(0, ".", "stop"), "[DONE]"];
  const model = replaying("gpt-4.1", { api: "chat" }, framed(events));
  const { chunks } = await collectChunks(model.stream({ messages }));
  const response = finishedResponse(chunks);
  expect(answerText(response.message)).toBe("One.");
  expect(response.warnings.map(({ code }) => code)).toEqual(["answers_unused"]);
  expect(chunks.filter(({ type }) => type === "warning")).toHaveLength(1);
});
