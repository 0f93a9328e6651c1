import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type ModelRequest, type ModelResponse } from "@bailiwick/core";
import { collectChunks, type CollectedChunks, finishedResponse, type ScriptStep } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect } from "vitest";
import { look, user } from "../ask.fixture.ts";
import { openai, type OpenAIOptions } from "../index.ts";
import { framed, replaying } from "../replay.fixture.ts";

export { look, user };

/** Sends requests to the strict server and returns the bodies that it accepted. */
export async function bodies(
  requests: readonly Partial<ModelRequest>[],
  model = "gpt-4.1",
  options: OpenAIOptions = {},
  steps: readonly ScriptStep[] = [],
): Promise<{ readonly bodies: Record<string, unknown>[]; readonly answers: ModelResponse[] }> {
  const lenient = options.compat !== undefined && options.compat !== "openai";
  await using server = await modelServer(steps.length > 0 ? steps : requests.map(() => ({ text: "ok" })), {
    strict: !lenient,
  });
  const provider = openai(model, { api: "chat", apiKey: "test", baseURL: server.baseURL("openai"), ...options });
  const answers: ModelResponse[] = [];
  for (const request of requests) {
    const messages = compileHistory(request.messages ?? [user("Hi")], historyTarget(provider)).messages;
    answers.push(await provider.generate({ ...request, messages }));
  }
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual(requests.map(() => undefined));
  return { bodies: server.requests.map(({ body }) => body as Record<string, unknown>), answers };
}

/** The fields at the start of each chunk. */
export const head: object = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
/** A chunk with a delta. */
export const delta = (value: object, finish: string | null = null): object => ({
  ...head,
  choices: [{ index: 0, delta: value, finish_reason: finish }],
});
/** A chunk with deltas of calls. */
export const calls = (...entries: readonly object[]): object => delta({ tool_calls: entries });
/** The end of a stream. */
export const end = (reason: string | null = "tool_calls"): readonly (object | string)[] => [
  delta({}, reason),
  "[DONE]",
];
/** Asks a model that answers with given events. */
export const replay = (events: readonly (object | string)[], options: OpenAIOptions = {}): Promise<CollectedChunks> =>
  collectChunks(
    replaying("some-model", { api: "chat", ...options }, framed(events)).stream({
      messages: [user("Hi")],
      tools: [look],
    }),
  );

/** The calls that a stream makes, after checking that its chunks agree with them. */
export async function streamedCalls(events: readonly (object | string)[]): Promise<readonly string[]> {
  const { chunks, error } = await replay(events);
  expect(error).toBeUndefined();
  const { toolCalls } = finishedResponse(chunks).message;
  const starts = chunks.flatMap((chunk) => (chunk.type === "tool_call_start" ? [chunk.toolCall.id] : []));
  const ends = chunks.flatMap((chunk) => (chunk.type === "tool_call_end" ? [chunk.toolCallId] : []));
  expect(starts).toEqual(toolCalls.map(({ id }) => id));
  expect(ends).toEqual(starts);
  for (const call of toolCalls) {
    const text = chunks.map((chunk) =>
      chunk.type === "tool_call_delta" && chunk.toolCallId === call.id ? chunk.argumentsDelta : "",
    );
    expect(text.join("")).toBe(call.arguments);
  }
  return toolCalls.map(({ name, arguments: text }) => `${name} ${text}`);
}
