import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import {
  type AssistantMessage,
  type AssistantPart,
  type Message,
  type ModelRequest,
  type ModelResponse,
  type ToolDefinition,
  type ToolMessage,
  type UserMessage,
} from "@bailiwick/core";
import { modelServer } from "@bailiwick/testing/model-server";
import { type ScriptStep } from "@bailiwick/testing";
import { expect } from "vitest";
import { google, type GoogleOptions } from "./index.ts";

/** A tool with trivial arguments. */
export const look: ToolDefinition = {
  type: "function",
  name: "look",
  description: "Looks.",
  inputSchema: { type: "object", properties: { id: { type: "string" } } },
};

/** A user message. */
export function user(content: UserMessage["content"]): UserMessage {
  return { id: `u:${JSON.stringify(content).slice(0, 40)}`, role: "user", content };
}

/** A result of `look`. */
export function result(toolCallId: string, content: ToolMessage["content"], isError = false): ToolMessage {
  return {
    id: `t:${toolCallId}`,
    role: "tool",
    toolCallId,
    toolName: "look",
    content,
    ...(isError ? { isError } : {}),
  };
}

/** An answer with calls of `look`, by this model or another. */
export function answer(
  model: string,
  content: readonly AssistantPart[],
  calls: AssistantMessage["toolCalls"] = [],
): AssistantMessage {
  return {
    id: `a:${calls.map(({ id }) => id).join()}`,
    role: "assistant",
    content,
    toolCalls: calls,
    finishReason: calls.length > 0 ? "tool_calls" : "stop",
    provenance: { provider: model.startsWith("gemini") ? "google" : "elsewhere", api: "generate", model },
  };
}

/** Sends requests to the strict server and returns the bodies that it accepted, and its answers. */
export async function asked(
  model: string,
  requests: readonly Partial<ModelRequest>[],
  options: GoogleOptions = {},
  steps: readonly ScriptStep[] = [],
): Promise<{ readonly bodies: readonly Record<string, unknown>[]; readonly answers: readonly ModelResponse[] }> {
  await using server = await modelServer(steps.length > 0 ? steps : requests.map(() => ({ text: "ok" })));
  const provider = google(model, { apiKey: "test", baseURL: server.baseURL("google"), ...options });
  const answers: ModelResponse[] = [];
  for (const request of requests) {
    const messages: readonly Message[] = request.messages ?? [user("Hi")];
    answers.push(
      await provider.generate({ ...request, messages: compileHistory(messages, historyTarget(provider)).messages }),
    );
  }
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual(requests.map(() => undefined));
  return { bodies: server.requests.map(({ body }) => body as Record<string, unknown>), answers };
}

/** Codes and subjects of the warnings of an answer. */
export function warned(response: ModelResponse | undefined): readonly string[] {
  return (response?.warnings ?? []).map(({ code, subject }) => `${code}: ${subject ?? ""}`);
}
