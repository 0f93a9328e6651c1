import { isJsonObject, parseArguments, wireToolName } from "@bailiwick/core/provider";
import type { AssistantMessage, AssistantPart, ToolCall } from "@bailiwick/core/provider";
import type { Block } from "../cache-breakpoints.ts";
import type { ModelContext } from "../model-context.ts";
import { stateOf } from "./blocks.ts";
import { textBlocks } from "./input-content.ts";

/** True if a block is thinking, readable or not. */
export function isThinking(block: Block): boolean {
  return block["type"] === "thinking" || block["type"] === "redacted_thinking";
}

/** An answer in the form in which it is sent back. Its thinking is sent unchanged, or not at all. */
export function assistantBlocks(message: AssistantMessage, context: ModelContext): readonly Block[] {
  const calls = new Map(message.toolCalls.map((call) => [call.id, call]));
  const whole = message.content.every(
    (part) =>
      part.type !== "reasoning" ||
      stateOf(part).shown === true ||
      thinkingBlock(part.text, part, context) !== undefined,
  );
  const blocks = message.content.flatMap((part) => partBlocks(part, calls, context));
  return whole ? withoutIdleThinking(blocks) : blocks.filter((block) => !isThinking(block));
}

/**
 * Removes thinking at the end of an answer, which the vendor refuses: "The final block in an assistant message cannot
 * be `thinking`". It is removed whole.
 *
 * @param blocks - Of one answer.
 */
export function withoutIdleThinking(blocks: readonly Block[]): readonly Block[] {
  const last = blocks.at(-1);
  return last === undefined || !isThinking(last) ? blocks : blocks.filter((block) => !isThinking(block));
}

function partBlocks(
  part: AssistantPart,
  calls: ReadonlyMap<string, ToolCall>,
  context: ModelContext,
): readonly Block[] {
  switch (part.type) {
    case "text": {
      const { citations } = stateOf(part);
      return textBlocks(part.text).map((block) => (citations === undefined ? block : { ...block, citations }));
    }
    case "refusal":
      return textBlocks(part.text);
    case "reasoning": {
      const block = thinkingBlock(part.text, part, context);
      return block === undefined ? [] : [block];
    }
    case "tool_call": {
      const call = calls.get(part.toolCallId);
      return call === undefined ? [] : [callBlock(call, context)];
    }
    case "hosted_tool":
      return stateOf(part).blocks ?? [];
    default:
      return [];
  }
}

function thinkingBlock(thinking: string, part: AssistantPart, { traits }: ModelContext): Block | undefined {
  const { signature = traits.unsignedThinking ? "" : undefined, redacted, shown } = stateOf(part);
  if (shown === true) return undefined;
  if (redacted !== undefined) return { type: "redacted_thinking", data: redacted };
  return signature === undefined ? undefined : { type: "thinking", thinking, signature };
}

function callBlock(call: ToolCall, context: ModelContext): Block {
  const { caller } = stateOf(call);
  const { input } = parseArguments(call.arguments);
  return {
    type: "tool_use",
    id: call.id,
    name: wireToolName(call.name, context.capabilities.toolName),
    // The API accepts only objects: other values that the model wrote are quoted.
    input: isJsonObject(input) ? input : { invalid_arguments: call.arguments },
    ...(caller === undefined ? {} : { caller }),
  };
}
