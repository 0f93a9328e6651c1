import { BailiwickError, ModelError, ToolMissingError } from "@bailiwick/core";
import type {
  AssistantMessage,
  Clock,
  JsonValue,
  Message,
  ModelProvider,
  ModelRequest,
  ModelResponse,
  StreamChunk,
  ToolMessage,
} from "@bailiwick/core";
import { writePlain } from "@bailiwick/core/extension";
import { authorOf } from "./ask-author.ts";
import { noUsage, takesEverything } from "../computed-answers.ts";
import type { NodeResult, Program, ProgramStep, Progress } from "./program.ts";

/**
 * A model whose answers are computed by a program: it calls nodes as a language model calls tools. A composition is
 * therefore an ordinary run with a journal, resume, approvals, limits and events.
 */
export function programModel(name: string, program: Program, clock: Pick<Clock, "setTimer">): ModelProvider {
  const generate = async (request: ModelRequest): Promise<ModelResponse> => {
    request.signal?.throwIfAborted();
    const author = authorOf(name, clock, request.signal);
    const step = await ask(name, () => program(progressOf(name, request.messages), author));
    return respond(name, step, request.messages.length);
  };
  return {
    provider: "bailiwick",
    api: "composition",
    modelId: name,
    capabilities: takesEverything,
    generate,
    async *stream(request): AsyncGenerator<StreamChunk> {
      const response = await generate(request);
      const text = response.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      if (text !== "") yield { type: "text", text };
      yield { type: "finish", finishReason: response.finishReason, usage: noUsage, response };
    },
  };
}

async function ask(name: string, next: () => ReturnType<Program>): Promise<ProgramStep> {
  try {
    return await next();
  } catch (cause) {
    if (BailiwickError.isInstance(cause) && (cause.code === "NODE_FAILED" || ToolMissingError.isInstance(cause)))
      throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ModelError("COMPOSITION_FAILED", `A function of the composition "${name}" failed: ${message}`, {
      provider: "bailiwick",
      model: name,
      retryable: false,
      cause,
    });
  }
}

/** The error of a composition whose node failed without a `catch`. */
export function nodeFailed(name: string, error: string): ModelError {
  return new ModelError("NODE_FAILED", `The composition "${name}" ended because one of its nodes failed: ${error}`, {
    provider: "bailiwick",
    model: name,
    retryable: false,
  });
}

function progressOf(name: string, messages: readonly Message[]): Progress {
  const last = messages.findLastIndex((message) => message.role === "user");
  const question = messages[last];
  const since = messages.slice(last + 1);
  const results = new Map(
    since.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message] as const] : [])),
  );
  const steps = since
    .filter((message): message is AssistantMessage => message.role === "assistant" && message.toolCalls.length > 0)
    // The answer of an agent that handed the conversation over is not a step of the program.
    .filter(({ provenance }) => provenance?.provider === "bailiwick" && provenance.model === name)
    .map(({ toolCalls }) => toolCalls.map(({ id, name: node }) => nodeResult(node, results.get(id))));
  return { input: writePlain(question?.role === "user" ? question.content : "") as JsonValue, steps };
}

function nodeResult(node: string, message: ToolMessage | undefined): NodeResult {
  if (message === undefined) return { node, ok: false, error: "The node has no result." };
  const content = textOf(message.content);
  if (message.isError === true) return { node, ok: false, error: content };
  const { text, structured } = JSON.parse(content) as { readonly text: string; readonly structured?: JsonValue };
  return { node, ok: true, text, ...(structured !== undefined && { structured }) };
}

function textOf(content: ToolMessage["content"]): string {
  return typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function respond(name: string, step: ProgramStep, turn: number): ModelResponse {
  const calls = "calls" in step ? step.calls : [];
  const toolCalls = calls.map(({ node, ...input }, index) => ({
    id: `${turn}-${index}`,
    name: node,
    arguments: JSON.stringify(input),
    input,
  }));
  const answer = "answer" in step ? step.answer : undefined;
  const finishReason = answer === undefined ? "tool_calls" : "stop";
  return {
    message: {
      role: "assistant",
      id: `${name}-${turn}`,
      content:
        answer === undefined
          ? toolCalls.map(({ id }) => ({ type: "tool_call", toolCallId: id }))
          : [{ type: "text", text: answer.text }],
      toolCalls,
      finishReason,
      provenance: { provider: "bailiwick", api: "composition", model: name },
      usage: noUsage,
      ...(answer?.structured !== undefined && { providerState: { structured: answer.structured } }),
    },
    usage: noUsage,
    finishReason,
    raw: undefined,
    warnings: [],
  };
}
