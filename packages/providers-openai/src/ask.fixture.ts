import type { FunctionToolDefinition, Message } from "@bailiwick/core";

/** A user message. */
export const user = (content: string): Message => ({ id: `u:${content}`, role: "user", content });

/** A tool. */
export const look: FunctionToolDefinition = {
  type: "function",
  name: "look",
  description: "Looks.",
  inputSchema: { type: "object", properties: { id: { type: "string" } } },
};
