import assert from "node:assert/strict";
import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import type {
  FunctionToolDefinition,
  Message,
  ModelProvider,
  ModelRequest,
  ModelResponse,
  StreamChunk,
  UserMessage,
} from "@bailiwick/core";
import { modelServer, type ModelServer } from "../model-server/index.ts";
import type { Script } from "../script/index.ts";
import type { ConformanceSetup } from "./conformance-case.ts";

/** The key that every case uses. */
export const conformanceKey = "sk-conformance-0123456789";

/** A tool with a name that no wire accepts unchanged. */
export const lookUp: FunctionToolDefinition = {
  type: "function",
  name: "orders.look-up",
  description: "Looks an order up.",
  inputSchema: {
    type: "object",
    properties: { id: { type: "string" }, verbose: { type: "boolean" } },
    required: ["id"],
    additionalProperties: false,
  },
};

/** Runs a case against a model server that plays a script. */
export async function withServer(
  { createModel, traits }: ConformanceSetup,
  script: Script,
  use: (model: ModelProvider, server: ModelServer) => Promise<void>,
): Promise<void> {
  await using server = await modelServer(script, {
    keys: [conformanceKey, "sk-other-0123456789"],
    chatReasoning: traits.chatReasoning,
  });
  await use(createModel({ url: server.url, apiKey: conformanceKey, baseURL: server.baseURL }), server);
}

/** A user message. */
export function user(text: string): UserMessage {
  return { id: `user-${text.slice(0, 20)}`, role: "user", content: text };
}

/** A request whose history is compiled for the model. */
export function request(
  model: ModelProvider,
  messages: readonly Message[],
  more: Partial<ModelRequest> = {},
): ModelRequest {
  return { messages: compileHistory(messages, historyTarget(model)).messages, ...more };
}

/** Every chunk of a stream. */
export async function chunksOf(stream: AsyncIterable<StreamChunk>): Promise<StreamChunk[]> {
  const chunks: StreamChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** The answer at a stream's end. */
export function responseOf(chunks: readonly StreamChunk[]): ModelResponse {
  const last = chunks.at(-1);
  assert.equal(last?.type, "finish", "the last chunk is finish");
  assert.ok(last?.type === "finish");
  assert.equal(chunks.filter(({ type }) => type === "finish").length, 1, "there is one finish");
  return last.response;
}

/** Text of the chunks of one type. */
export function joined(chunks: readonly StreamChunk[], type: "text" | "thinking"): string {
  return chunks.map((chunk) => (chunk.type === type ? chunk.text : "")).join("");
}

/** The parts that are equal for every way of sending an answer: everything except ids, times and raw data. */
export function essence(response: ModelResponse): unknown {
  const { message, usage, finishReason, rawFinishReason } = response;
  return {
    finishReason,
    rawFinishReason,
    usage: { ...usage, providerMetrics: undefined },
    provenance: message.provenance,
    parts: message.content.map((part) => ({ ...part, providerState: undefined, toolCallId: undefined })),
    calls: message.toolCalls.map(({ name, arguments: text, input }) => ({ name, text, input })),
  };
}

/** The error that a call threw. */
export async function thrownBy(attempt: Promise<unknown>): Promise<unknown> {
  try {
    await attempt;
  } catch (error) {
    return error;
  }
  throw new assert.AssertionError({ message: "It should have thrown, and did not." });
}

/** A signal that counts its listeners. */
export function countedSignal(): { readonly controller: AbortController; readonly listeners: () => number } {
  const controller = new AbortController();
  const { signal } = controller;
  const open = new Set<unknown>();
  const add = signal.addEventListener.bind(signal) as (...given: unknown[]) => void;
  const remove = signal.removeEventListener.bind(signal) as (...given: unknown[]) => void;
  signal.addEventListener = (...given: readonly unknown[]) => {
    open.add(given[1]);
    add(...given);
  };
  signal.removeEventListener = (...given: readonly unknown[]) => {
    open.delete(given[1]);
    remove(...given);
  };
  return { controller, listeners: () => open.size };
}
