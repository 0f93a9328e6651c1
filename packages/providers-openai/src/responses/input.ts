import { wellFormedJson } from "@bailiwick/core/provider";
import type { Message, SystemMessage, ToolCall } from "@bailiwick/core/provider";
import type { ModelContext } from "../model-context.ts";
import { assistantItems, type InputItem } from "./assistant-items.ts";
import { stateOf } from "./items.ts";
import { nothing } from "../nothing.ts";
import { inputContent, toolOutput } from "./input-content.ts";
import { withoutRepeatedItems } from "./repeated-items.ts";

/**
 * Messages as input items, as JSON.
 *
 * @param messages - As compiled for this model.
 * @param context - The model.
 * @param breakpoint - The system message after which the vendor's cache may start, if one is marked.
 */
export function inputItems(
  messages: readonly Message[],
  context: ModelContext,
  breakpoint: SystemMessage | undefined,
): string {
  const texts: string[] = [];
  let calls: readonly ToolCall[] = [];
  for (const message of withoutRepeatedItems(messages)) {
    if (message === breakpoint) {
      texts.push(JSON.stringify(wellFormedJson(markedItem(message, context))));
      continue;
    }
    // Cached by message: a long conversation is converted once, not in each turn. Empty if a message has no item.
    let written = context.messages.get(message) as string | undefined;
    if (written === undefined) {
      const items = mapMessage(message, calls, context);
      written = items.map((item) => JSON.stringify(wellFormedJson(item))).join(",");
      context.messages.set(message, written);
    }
    if (message.role === "assistant") calls = message.toolCalls;
    if (written !== "") texts.push(written);
  }
  if (texts.length === 0) texts.push(JSON.stringify({ type: "message", ...nothing }));
  return `[${texts.join(",")}]`;
}

function systemItem({ content }: SystemMessage, { traits }: ModelContext): InputItem {
  return { type: "message", role: traits.reasons ? "developer" : "system", content };
}

function markedItem(message: SystemMessage, context: ModelContext): InputItem {
  const text = { type: "input_text", text: message.content, prompt_cache_breakpoint: { mode: "explicit" } };
  return { ...systemItem(message, context), content: [text] };
}

function mapMessage(message: Message, calls: readonly ToolCall[], context: ModelContext): readonly InputItem[] {
  switch (message.role) {
    case "system":
      return [systemItem(message, context)];
    case "user": {
      const content = typeof message.content === "string" ? message.content : inputContent(message.content);
      return [{ type: "message", role: "user", content }];
    }
    case "assistant":
      return assistantItems(message, context);
    case "tool": {
      const { toolCallId, hostedApproval } = message;
      if (hostedApproval !== undefined) {
        const { approved, reason } = hostedApproval;
        return [
          {
            type: "mcp_approval_response",
            approval_request_id: toolCallId,
            approve: approved,
            ...(reason === undefined ? {} : { reason }),
          },
        ];
      }
      const { custom, caller } = stateOf(calls.find(({ id }) => id === toolCallId) ?? {});
      const type = custom === true ? "custom_tool_call_output" : "function_call_output";
      return [{ type, call_id: toolCallId, output: toolOutput(message), caller }];
    }
  }
}
