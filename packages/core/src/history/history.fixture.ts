import type { AssistantMessage, ToolMessage, UserMessage } from "../contracts/message.ts";
import type { AssistantPart } from "../contracts/content-part.ts";
import type { ModelCapabilities } from "../contracts/model-provider.ts";
import type { ToolCall } from "../contracts/tool-call.ts";
import type { HistoryTarget } from "./provenance.ts";

/** A target that accepts everything. */
export function target(
  capabilities: Partial<ModelCapabilities> = {},
  more: Partial<HistoryTarget> = {},
): HistoryTarget {
  return {
    provider: "acme",
    api: "talk",
    model: "one",
    capabilities: {
      input: { image: true, audio: true, file: true },
      toolResultMedia: "native",
      toolCallId: { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 40 },
      toolName: { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64 },
      replaysReasoning: true,
      systemAnywhere: true,
      structuredOutput: "with-tools",
      ...capabilities,
    },
    ...more,
  };
}

/** A user message. */
export function user(text: string): UserMessage {
  return { id: `u:${text}`, role: "user", content: text };
}

/** A call. */
export function call(id: string, more: Partial<ToolCall> = {}): ToolCall {
  return { id, name: "look", arguments: "{}", input: {}, ...more };
}

/** An answer of the target by default. */
export function answer(
  id: string,
  calls: readonly ToolCall[] = [],
  more: Partial<AssistantMessage> & { readonly parts?: readonly AssistantPart[] } = {},
): AssistantMessage {
  const { parts, ...rest } = more;
  return {
    id,
    role: "assistant",
    content: [...(parts ?? []), ...calls.map(({ id: toolCallId }) => ({ type: "tool_call" as const, toolCallId }))],
    toolCalls: calls,
    finishReason: calls.length > 0 ? "tool_calls" : "stop",
    provenance: { provider: "acme", api: "talk", model: "one" },
    ...rest,
  };
}

/** A result. */
export function result(toolCallId: string, content: ToolMessage["content"] = "ok"): ToolMessage {
  return { id: `r:${toolCallId}`, role: "tool", toolCallId, toolName: "look", content };
}
