import type { ModelProvider, ModelResponse, StreamChunk } from "@bailiwick/core";

const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
/** The one call's id. */
export const callId = "call-1";

/** A model that makes one call and then ends, so that a client's call is an ordinary run and passes all its checks. */
export function callOnce(toolName: string, input: Readonly<Record<string, unknown>>): ModelProvider {
  const respond = (hasCalled: boolean): ModelResponse => ({
    message: {
      role: "assistant",
      id: hasCalled ? "answer" : "call",
      content: hasCalled ? [{ type: "text", text: "" }] : [{ type: "tool_call", toolCallId: callId }],
      toolCalls: hasCalled ? [] : [{ id: callId, name: toolName, arguments: JSON.stringify(input), input }],
      finishReason: hasCalled ? "stop" : "tool_calls",
      provenance: { provider: "bailiwick", api: "mcp", model: "client" },
      usage,
    },
    usage,
    finishReason: hasCalled ? "stop" : "tool_calls",
    raw: undefined,
    warnings: [],
  });
  const generate: ModelProvider["generate"] = async ({ messages, signal }) => {
    signal?.throwIfAborted();
    return respond(messages.some(({ role }) => role === "tool"));
  };
  return {
    provider: "bailiwick",
    api: "mcp",
    modelId: "client",
    ofCaller: true,
    capabilities: {
      input: { image: true, audio: true, file: true },
      toolResultMedia: "native",
      toolCallId: {},
      toolName: { pattern: /^[\s\S]+$/u, maxLength: 128 },
      replaysReasoning: false,
      systemAnywhere: true,
      structuredOutput: "with-tools",
    },
    generate,
    async *stream(request): AsyncGenerator<StreamChunk> {
      const response = await generate(request);
      yield { type: "finish", finishReason: response.finishReason, usage, response };
    },
  };
}
