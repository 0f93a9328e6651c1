import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import type { Message, ModelRequest, ModelResponse, ToolDefinition, ToolMessage } from "@bailiwick/core";
import { modelServer, type ModelServerOptions } from "@bailiwick/testing/model-server";
import { type Script } from "@bailiwick/testing";
import { expect } from "vitest";
import { anthropic } from "./index.ts";

/** A sent block or body. */
export type Sent = Record<string, unknown>;

/** A user message. */
export const user = (content: Extract<Message, { role: "user" }>["content"]): Message => ({
  id: `u:${JSON.stringify(content).slice(0, 20)}`,
  role: "user",
  content,
});

/** A tool's result. */
export const result = (
  toolCallId: string,
  content: ToolMessage["content"],
  more: Partial<ToolMessage> = {},
): ToolMessage => ({ id: `r:${toolCallId}`, role: "tool", toolCallId, toolName: "look", content, ...more });

/** An answer of another vendor's model. */
export const foreign = (
  content: Extract<Message, { role: "assistant" }>["content"],
  calls: readonly string[] = [],
): Message => ({
  id: "foreign",
  role: "assistant",
  content,
  toolCalls: calls.map((id) => ({ id, name: "look", arguments: "{}" })),
  finishReason: calls.length > 0 ? "tool_calls" : "stop",
  provenance: { provider: "openai", api: "responses", model: "gpt-5.5" },
});

/** A tool. */
export const look: ToolDefinition = {
  type: "function",
  name: "look",
  description: "Looks.",
  inputSchema: { type: "object", properties: { id: { type: "string" } } },
};

/** Request and response. */
export interface Asked {
  readonly bodies: readonly Sent[];
  readonly headers: readonly Readonly<Record<string, string>>[];
  readonly answers: readonly ModelResponse[];
}

/** Sends requests to the strict server, which has to accept them, and returns the bodies. */
export async function asked(
  requests: readonly Partial<ModelRequest>[],
  model = "claude-sonnet-4-5",
  script: Script = () => "ok",
  options: ModelServerOptions = {},
): Promise<Asked> {
  await using server = await modelServer(script, options);
  const provider = anthropic(model, { apiKey: "test", baseURL: server.baseURL("anthropic") });
  const answers: ModelResponse[] = [];
  for (const request of requests) {
    const { messages } = compileHistory(request.messages ?? [user("Hi")], historyTarget(provider));
    answers.push(await provider.generate({ ...request, messages }));
  }
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual(requests.map(() => undefined));
  return {
    bodies: server.requests.map(({ body }) => body as Sent),
    headers: server.requests.map(({ headers }) => headers),
    answers,
  };
}

/** The turns of a body: role, and the blocks' types. */
export function shape(body: Sent | undefined): readonly (readonly [string, readonly unknown[]])[] {
  const messages = body?.["messages"] as readonly { role: string; content: readonly Sent[] }[];
  return messages.map(({ role, content }) => [role, content.map(({ type }) => type)]);
}

/** All blocks of a body's turns. */
export function blocksOf(body: Sent | undefined): readonly Sent[] {
  return ((body?.["messages"] ?? []) as readonly { content: readonly Sent[] }[]).flatMap(({ content }) => content);
}

/** Codes and subjects of an answer's warnings. */
export function warned(answer: ModelResponse | undefined): readonly (readonly unknown[])[] {
  return (answer?.warnings ?? []).map(({ code, subject }) => [code, subject]);
}
