import { wellFormedJson } from "@bailiwick/core/provider";
import type { Message, SystemMessage } from "@bailiwick/core/provider";
import type { ModelContext } from "../model-context.ts";
import { assistantItems, type AssistantItems, type InputItem } from "./assistant-items.ts";
import { nothing } from "../nothing.ts";
import { inputContent, toolOutput } from "./input-content.ts";
import { withoutRepeatedItems } from "./repeated-items.ts";

/** A message's items as JSON. Kept by message: a long conversation is written once, not in each turn. */
interface WrittenMessage {
  /** Texts joined by commas; empty if a message has none. */
  readonly text: string;
  readonly outputs: AssistantItems["outputs"];
}

/**
 * Messages as input items, as JSON.
 *
 * @param messages - As compiled for this model.
 * @param context - The model.
 * @param breakpoint - The system message after which the vendor's cache may begin again, if one is marked.
 */
export function inputItems(
  messages: readonly Message[],
  context: ModelContext,
  breakpoint: SystemMessage | undefined,
): string {
  const texts: string[] = [];
  let outputs: AssistantItems["outputs"] = new Map();
  for (const message of withoutRepeatedItems(messages)) {
    if (message === breakpoint) {
      texts.push(JSON.stringify(wellFormedJson(markedItem(message, context))));
      continue;
    }
    let written = context.messages.get(message) as WrittenMessage | undefined;
    if (written === undefined) {
      const { items, outputs: own } = mapMessage(message, outputs, context);
      written = { text: items.map((item) => JSON.stringify(wellFormedJson(item))).join(","), outputs: own };
      context.messages.set(message, written);
    }
    if (message.role === "assistant") ({ outputs } = written);
    if (written.text !== "") texts.push(written.text);
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

function mapMessage(message: Message, outputs: AssistantItems["outputs"], context: ModelContext): AssistantItems {
  switch (message.role) {
    case "system":
      return single(systemItem(message, context));
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
      const own = outputs.get(message.toolCallId);
      const output = toolOutput(message);
      return single({ type: "function_call_output", call_id: message.toolCallId, output, ...own });
    }
  }
}

function single(item: InputItem): AssistantItems {
  return { items: [item], outputs: new Map() };
}
