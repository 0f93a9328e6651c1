import { isJsonObject, wellFormedJson, wireToolName } from "@bailiwick/core/provider";
import type { AssistantMessage, AssistantPart, ToolCall, Warning } from "@bailiwick/core/provider";
import type { ModelContext } from "../model-context.ts";
import type { WirePart } from "./wire-part.ts";
import { stateOf } from "./state.ts";
import { mediaPart } from "./user-parts.ts";

/** The vendor's documented value for calls without a signature, which the vendor did not make. */
const skipSignature = "skip_thought_signature_validator";

const unsigned: Warning = {
  code: "thought_signature_missing",
  message:
    "A tool call in the history has no thought signature, which Gemini expects. The check was turned off, and Gemini does not see the thoughts behind that call.",
  subject: "thoughtSignature",
};

/**
 * An answer as the parts of a model's content. Each part is sent back at its place, with its signature; parts are not
 * joined.
 *
 * @param message - The answer, as compiled for this model.
 * @param context - The model.
 */
export function modelParts(
  message: AssistantMessage,
  context: ModelContext,
): { readonly parts: readonly WirePart[]; readonly warning: Warning | undefined } {
  const calls = new Map(message.toolCalls.map((call) => [call.id, call]));
  const whole = message.partial === true ? withoutHalves(message.content) : message.content;
  const parts = whole.map((part) => partOf(part, calls, context)).filter((part) => part !== undefined);
  if (parts.every((part) => part["thought"] === true)) return { parts: [], warning: undefined };
  const first = parts.findIndex((part) => "functionCall" in part);
  const call = parts[first];
  if (!context.traits.thirdGeneration || call === undefined || "thoughtSignature" in call) {
    return { parts, warning: undefined };
  }
  return { parts: parts.with(first, { ...call, thoughtSignature: skipSignature }), warning: unsigned };
}

/** Hosted calls are sent back as a pair of call and result; an interrupted answer may have only one of them. */
function withoutHalves(content: readonly AssistantPart[]): readonly AssistantPart[] {
  const count = new Map<string, number>();
  for (const part of content) {
    if (part.type === "hosted_tool") count.set(part.toolCallId, (count.get(part.toolCallId) ?? 0) + 1);
  }
  return content.filter((part) => part.type !== "hosted_tool" || (count.get(part.toolCallId) ?? 0) > 1);
}

function partOf(
  part: AssistantPart,
  calls: ReadonlyMap<string, ToolCall>,
  context: ModelContext,
): WirePart | undefined {
  const state = stateOf(part);
  const signature = state.signature === undefined ? {} : { thoughtSignature: state.signature };
  switch (part.type) {
    case "text":
    case "refusal":
      return { text: part.text, ...signature };
    case "reasoning":
      return state.part ?? { text: part.text, thought: true, ...signature };
    case "tool_call": {
      const call = calls.get(part.toolCallId);
      return call === undefined ? undefined : callPart(call, context);
    }
    case "hosted_tool":
      return state.part;
    case "image":
    case "audio":
    case "file":
      return { ...mediaPart(part), ...signature };
    case "source":
      return undefined;
  }
}

function callPart(call: ToolCall, context: ModelContext): WirePart {
  const { signature } = stateOf(call);
  return {
    functionCall: {
      ...(context.traits.thirdGeneration ? { id: call.id } : {}),
      name: wireToolName(call.name, context.capabilities.toolName),
      args: argumentsOf(call.arguments),
    },
    ...(signature === undefined ? {} : { thoughtSignature: signature }),
  };
}

/** Arguments are an object in the request; text that is not an object is wrapped in one. */
function argumentsOf(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return wellFormedJson(value);
  } catch {
    // The model sees the text that it wrote.
  }
  return { invalid_arguments: text };
}
