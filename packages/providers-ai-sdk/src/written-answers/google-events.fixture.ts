import type { Fields, WrittenAnswer } from "./written-answer.fixture.ts";

export const gemini = (page: string, ...events: readonly Fields[]): WrittenAnswer => ({
  vendor: "google",
  wire: "google-generate",
  page: `https://ai.google.dev/gemini-api/docs/${page}`,
  events,
});
export const counted: Fields = {
  promptTokenCount: 10,
  candidatesTokenCount: 5,
  thoughtsTokenCount: 3,
  totalTokenCount: 18,
};
export const candidate = (parts: readonly Fields[], more: Fields = {}, top: Fields = {}): Fields => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
  usageMetadata: counted,
  modelVersion: "gemini-3-pro",
  responseId: "r1",
  ...top,
});
export const stop: Fields = { finishReason: "STOP" };
