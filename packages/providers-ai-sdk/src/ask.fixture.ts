import { compileHistory, historyTarget, wireToolName } from "@bailiwick/core/provider";
import type { FunctionToolDefinition, Message, ModelProvider, ModelRequest } from "@bailiwick/core";

/** A tool whose name no vendor accepts unchanged. */
export const look: FunctionToolDefinition = {
  type: "function",
  name: "orders.look",
  description: "Looks an order up.",
  inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
};

/** The name of {@link look} in requests. */
export const wireLook: string = wireToolName(look.name, { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64 });

/** A user message. */
export const user = (text: string, id = "u1"): Message => ({ id, role: "user", content: text });

/** The result of a call of {@link look}. */
export const result = (toolCallId: string, content: string): Message => ({
  id: `r-${toolCallId}`,
  role: "tool",
  toolCallId,
  toolName: look.name,
  content,
});

/** A request whose history is compiled for the model. */
export function ask(
  model: ModelProvider,
  messages: readonly Message[],
  more: Partial<ModelRequest> = {},
): ModelRequest {
  return { messages: compileHistory(messages, historyTarget(model)).messages, tools: [look], ...more };
}
