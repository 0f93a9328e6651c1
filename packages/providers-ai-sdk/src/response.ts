import {
  ContextOverflowError,
  ModelResponseError,
  parseArguments,
  responseOf,
  showsOverflow,
} from "@bailiwick/core/provider";
import type {
  AssistantPart,
  FinishReason,
  JsonValue,
  ModelRequest,
  ModelResponse,
  ToolCall,
} from "@bailiwick/core/provider";
import type { Answer, Slot } from "./answer.ts";
import type { ModelContext } from "./model-context.ts";
import type { BuiltRequest } from "./request.ts";
import { withState } from "./state.ts";
import { readUsage } from "./usage.ts";

/** Needed to read an answer. */
export interface ReadContext {
  readonly context: ModelContext;
  readonly request: ModelRequest;
  readonly built: Pick<BuiltRequest, "tools" | "warnings">;
}

/**
 * The response made from an answer.
 *
 * @param answer - As collected.
 * @param read - The model and the request.
 * @param partial - True if the answer was interrupted.
 */
export function readAnswer(answer: Answer, { context, built }: ReadContext, partial = false): ModelResponse {
  const { provider, api, modelId: model } = context;
  const toolCalls = answer.slots.flatMap((slot) => (slot.type === "call" ? [callOf(slot, built)] : []));
  return responseOf({
    responseId: answer.id,
    ...(answer.model === undefined ? {} : { responseModel: answer.model }),
    content: answer.slots.flatMap((slot) => partOf(slot, built)),
    toolCalls,
    finishReason: finishOf(answer, toolCalls.length > 0),
    rawFinishReason: answer.finish?.raw ?? answer.finish?.unified,
    provenance: { provider, api, model },
    usage: readUsage(answer.usage),
    warnings: [...built.warnings, ...answer.warnings],
    partial,
  });
}

function partOf(slot: Slot, { tools }: ReadContext["built"]): readonly AssistantPart[] {
  switch (slot.type) {
    case "text":
      return slot.text === "" && slot.metadata === undefined
        ? []
        : [{ type: "text", text: slot.text, ...withState({ metadata: slot.metadata }) }];
    case "reasoning": {
      const { text, metadata, kind, file } = slot;
      if (text === "" && metadata === undefined && kind === undefined && file === undefined) return [];
      return [{ type: "reasoning", text, ...withState({ metadata, kind, ...(file === undefined ? {} : { file }) }) }];
    }
    case "call":
      return [{ type: "tool_call", toolCallId: slot.id }];
    case "hosted": {
      const { id, name, input, output, isError, approvalId, metadata } = slot;
      const parsed = parseArguments(input);
      return [
        {
          type: "hosted_tool",
          toolCallId: id,
          toolName: tools.readName(name),
          ...("input" in parsed ? { input: parsed.input as JsonValue } : {}),
          ...(output === undefined ? {} : { output: JSON.parse(JSON.stringify(output)) as JsonValue }),
          ...(isError ? { isError: true } : {}),
          ...(approvalId === undefined ? {} : { approvalRequestId: approvalId }),
          ...withState({ metadata }),
        },
      ];
    }
    case "source":
      return [slot.source];
    case "file":
      return [{ ...slot.file, ...withState({ metadata: slot.metadata }) }];
  }
}

function callOf(slot: Extract<Slot, { type: "call" }>, { tools }: ReadContext["built"]): ToolCall {
  const name = tools.readName(slot.name);
  return {
    id: slot.id,
    name,
    arguments: slot.input,
    ...tools.readInput(name, slot.input),
    ...withState({ metadata: slot.metadata }),
  };
}

/** Vendors' stop reasons for a truncated answer, which some packages do not distinguish from its end. */
const cutOff = /^(incomplete|max_(output_)?tokens|model_length|length)$/i;

function finishOf({ finish }: Answer, calls: boolean): FinishReason {
  if (cutOff.test(finish?.raw ?? "")) return "length";
  switch (finish?.unified) {
    case "stop":
    case "tool-calls":
      // A vendor's own calls are not a turn of the agent's.
      return calls ? "tool_calls" : "stop";
    case "length":
      return "length";
    case "content-filter":
      return "content_filter";
    case "error":
    case "interrupted":
      return "error";
    default:
      return "other";
  }
}

/**
 * Checks a complete answer.
 *
 * @param response - The answer.
 * @param answer - As collected.
 * @param read - The model and the request.
 * @throws ContextOverflowError if it shows that the request did not fit.
 * @throws ModelResponseError if the model reports an interruption, or waits for a tool that does not run here.
 */
export function checkAnswer(response: ModelResponse, answer: Answer, { context, request, built }: ReadContext): void {
  const message = { ...response.message, finishReason: "error", partial: true } as const;
  const partial: ModelResponse = { ...response, message, finishReason: "error" };
  const common = { provider: context.provider, model: context.modelId, partial };
  if (showsOverflow(response, context.capabilities, request.maxTokens)) {
    throw new ContextOverflowError(`The request does not fit the context window of ${context.modelId}.`, common);
  }
  if (response.finishReason === "error") {
    throw new ModelResponseError(
      `${context.modelId} stopped in the middle of its answer (${answer.finish?.raw ?? answer.finish?.unified ?? "no reason given"}).`,
      { ...common, retryable: true },
    );
  }
  const unrun = answer.finish?.raw === "pause_turn" ? undefined : unrunCall(answer.slots, built.tools);
  if (unrun !== undefined && ["stop", "tool_calls"].includes(response.finishReason)) {
    throw new ModelResponseError(
      `${context.modelId} called "${unrun}", a tool of its vendor that the caller has to run, and nothing here runs it. Leave that tool out, or offer a function in its place.`,
      { ...common, retryable: false },
    );
  }
}

/** The vendor's tool that an answer waits for: it is called like a function, or the answer ends with its call. */
function unrunCall(slots: readonly Slot[], { isFunction, isHosted }: BuiltRequest["tools"]): string | undefined {
  const calls = slots.filter((slot) => slot.type === "call");
  const foreign = calls.find(({ name }) => isHosted(name) && !isFunction(name));
  if (foreign !== undefined || calls.length > 0) return foreign?.name;
  const last = slots.findLast(({ type }) => type !== "reasoning");
  const waits = last?.type === "hosted" && last.output === undefined && last.approvalId === undefined;
  return waits ? last.name : undefined;
}
