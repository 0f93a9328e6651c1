import {
  BailiwickError,
  ModelError,
  ToolMissingError,
  type AssistantMessage,
  type Clock,
  type JsonValue,
  type Message,
  type ModelProvider,
  type ModelRequest,
  type ModelResponse,
  type StreamChunk,
  type ToolMessage,
  type Warning,
} from "@bailiwick/core";
import { writePlain } from "@bailiwick/core/extension";
import { noUsage, takesEverything } from "../computed-answers.ts";
import { authorOf } from "./ask-author.ts";
import { invalidValueError, isInvalidValue } from "./node-failed.ts";
import type { NodeResult, Program, ProgramStep, Progress } from "./program.ts";
import type { Node } from "./shape.ts";
import { invalidValue, textOfContent, textOfValue, type InputCodec } from "./values.ts";

/** The parts of a workflow that its model needs. */
export interface ProgramParts {
  readonly name: string;
  readonly nodes: ReadonlyMap<string, Node>;
  readonly program: Program;
  readonly codec: InputCodec | undefined;
  readonly clock: Pick<Clock, "setTimer">;
  /** Warnings about nodes of a session since the last answer. */
  readonly warnings: (sessionId: string | undefined) => readonly Warning[];
}

/** Codes of errors that a program throws itself. */
const ownCodes: ReadonlySet<string> = new Set(["NODE_FAILED", invalidValue]);

/**
 * A model whose answers are computed by a program: it calls nodes as a language model calls tools. A workflow is
 * therefore an ordinary run with a journal, resume, approvals, limits and events.
 */
export function programModel(parts: ProgramParts): ModelProvider {
  const { name, program, clock } = parts;
  const generate = async (request: ModelRequest): Promise<ModelResponse> => {
    request.signal?.throwIfAborted();
    const author = authorOf(name, clock, request.signal);
    const step = await ask(name, async () => program(await progressOf(parts, request.messages), author));
    return respond(parts, step, request);
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
    if (BailiwickError.isInstance(cause) && (ownCodes.has(cause.code) || ToolMissingError.isInstance(cause)))
      throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    const facts = { provider: "bailiwick", model: name, retryable: false };
    if (isInvalidValue(message)) throw invalidValueError(message, facts);
    throw new ModelError("COMPOSITION_FAILED", `A function of the composition "${name}" failed: ${message}`, {
      ...facts,
      cause,
    });
  }
}

async function progressOf({ name, codec }: ProgramParts, messages: readonly Message[]): Promise<Progress> {
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
  const content = writePlain(question?.role === "user" ? question.content : "") as JsonValue;
  const input =
    codec === undefined ? { value: textOfContent(content), content } : { value: await codec.decode(content) };
  return { input, steps };
}

/** A failure begins with its kind, as every failed call does. */
const failure = /^Error \((\w+)\): /u;

function nodeResult(node: string, message: ToolMessage | undefined): NodeResult {
  if (message === undefined) return { node, ok: false, kind: "execution_failed", error: "The node has no result." };
  const content = textOfContent(message.content);
  if (message.isError !== true) return { node, ok: true, value: parsed(content) };
  const [label = "", kind = "execution_failed"] = failure.exec(content) ?? [];
  return { node, ok: false, kind, error: content.slice(label.length) };
}

/** A guardrail may have replaced the JSON by a text. */
function parsed(content: string): JsonValue {
  try {
    return JSON.parse(content) as JsonValue;
  } catch {
    return content;
  }
}

function respond({ name, nodes, warnings }: ProgramParts, step: ProgramStep, request: ModelRequest): ModelResponse {
  const turn = request.messages.length;
  const { calls, chosenBy } = "calls" in step ? step : { calls: [], chosenBy: undefined };
  const toolCalls = calls.map(({ node, given, extraVars }, index) => {
    const input = nodes.get(node)?.argumentsOf(given, extraVars) ?? null;
    return { id: `${turn}-${index}`, name: node, arguments: JSON.stringify(input), input, chosenBy };
  });
  const finishReason = "calls" in step ? "tool_calls" : "stop";
  return {
    message: {
      role: "assistant",
      id: `${name}-${turn}`,
      content:
        "calls" in step
          ? toolCalls.map(({ id }) => ({ type: "tool_call", toolCallId: id }))
          : [{ type: "text", text: textOfValue(step.answer) }],
      toolCalls,
      finishReason,
      provenance: { provider: "bailiwick", api: "composition", model: name },
      usage: noUsage,
      providerState:
        "calls" in step ? { ...(step.choice !== undefined && { choice: step.choice }) } : { structured: step.answer },
    },
    usage: noUsage,
    finishReason,
    raw: undefined,
    warnings: warnings(request.sessionId),
  };
}
