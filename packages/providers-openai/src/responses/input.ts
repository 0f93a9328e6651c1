import type { Message } from "@bailiwick/core";
import type { ModelContext } from "../model-context.ts";
import { assistantItems, type InputItem } from "./assistant-items.ts";
import { inputContent, toolOutput } from "./input-content.ts";

/** A message's items. Kept by message: a long conversation is mapped once, not in each turn. */
interface MappedMessage {
  readonly items: readonly InputItem[];
  readonly customCalls: readonly string[];
}

/**
 * Messages as input items.
 *
 * @param messages - As compiled for this model.
 * @param context - The model.
 */
export function inputItems(messages: readonly Message[], context: ModelContext): InputItem[] {
  const items: InputItem[] = [];
  let customCalls: readonly string[] = [];
  for (const message of messages) {
    let mapped = context.messages.get(message) as MappedMessage | undefined;
    if (mapped === undefined) {
      mapped = mapMessage(message, customCalls, context);
      context.messages.set(message, mapped);
    }
    if (message.role === "assistant") ({ customCalls } = mapped);
    for (const item of mapped.items) items.push(item);
  }
  return items;
}

function mapMessage(message: Message, customCalls: readonly string[], context: ModelContext): MappedMessage {
  switch (message.role) {
    case "system": {
      const role = context.traits.reasons ? "developer" : "system";
      return single({ type: "message", role, content: message.content });
    }
    case "user": {
      const content = typeof message.content === "string" ? message.content : inputContent(message.content);
      return single({ type: "message", role: "user", content });
    }
    case "assistant":
      return assistantItems(message, context);
    case "tool": {
      if (message.hostedApproval !== undefined) {
        const { approved, reason } = message.hostedApproval;
        return single({
          type: "mcp_approval_response",
          approval_request_id: message.toolCallId,
          approve: approved,
          ...(reason === undefined ? {} : { reason }),
        });
      }
      const type = customCalls.includes(message.toolCallId) ? "custom_tool_call_output" : "function_call_output";
      return single({ type, call_id: message.toolCallId, output: toolOutput(message) });
    }
  }
}

function single(item: InputItem): MappedMessage {
  return { items: [item], customCalls: [] };
}
