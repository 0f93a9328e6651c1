import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import {
  type Message,
  type ModelProvider,
  type ModelRequest,
  type ModelResponse,
  type ToolDefinition,
} from "@bailiwick/core";
import { collectChunks, type CollectedChunks, finishedResponse, type ScriptStep } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { expect } from "vitest";
import { look, user } from "../ask.fixture.ts";
import { openai } from "../index.ts";
import { framed, listAt, replaying } from "../replay.fixture.ts";

export { look, user };

/** Sends requests to the strict server and returns the bodies that it accepted. */
export async function bodies(
  steps: readonly ScriptStep[],
  requests: readonly Partial<ModelRequest>[],
  model = "gpt-5.5",
): Promise<{
  readonly bodies: Record<string, unknown>[];
  readonly answers: ModelResponse[];
  readonly provider: ModelProvider;
}> {
  await using server = await modelServer(steps.length > 0 ? steps : requests.map(() => ({ text: "ok" })));
  const provider = openai(model, { apiKey: "test", baseURL: server.baseURL("openai") });
  const answers: ModelResponse[] = [];
  for (const request of requests) answers.push(await provider.generate({ messages: [user("Hi")], ...request }));
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual(requests.map(() => undefined));
  return { bodies: server.requests.map(({ body }) => body as Record<string, unknown>), answers, provider };
}

/** Plays a conversation of two turns and returns the second request's input, after a change to the history. */
export async function secondInput(
  step: ScriptStep,
  change: (messages: Message[]) => readonly Message[],
  model = "gpt-5.5",
  second: string = model,
): Promise<Record<string, unknown>[]> {
  await using server = await modelServer([step, "Done."]);
  const first = openai(model, { apiKey: "test", baseURL: server.baseURL("openai") });
  const { message } = finishedResponse(
    (await collectChunks(first.stream({ messages: [user("Hi")], tools: [look] }))).chunks,
  );
  const results = message.toolCalls.map((call): Message => ({
    id: call.id,
    role: "tool",
    toolCallId: call.id,
    toolName: call.name,
    content: "found",
  }));
  const next = openai(second, { apiKey: "test", baseURL: server.baseURL("openai") });
  const { messages } = compileHistory(change([user("Hi"), message, ...results]), historyTarget(next));
  await next.generate({ messages, tools: [look] });
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual([undefined, undefined]);
  return listAt(server.requests[1]?.body, "input");
}

/** The first event. */
export const created: object = { type: "response.created", response: { id: "resp_1", status: "in_progress" } };
/** The last event. */
export const completed = (output: readonly object[] = []): object => ({
  type: "response.completed",
  response: { id: "resp_1", status: "completed", output, usage: { input_tokens: 1, output_tokens: 2 } },
});
/** Asks a model that answers with given events. */
export const replay = (
  events: readonly object[],
  tools: readonly ToolDefinition[] = [look],
): Promise<CollectedChunks> =>
  collectChunks(replaying("gpt-5.5", {}, framed(events)).stream({ messages: [user("Hi")], tools }));
