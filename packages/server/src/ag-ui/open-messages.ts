import { EventType, type AGUIEvent } from "@ag-ui/core";
import type { UiChunk } from "../ui-stream/ui-chunk.ts";

/** Writes messages and calls piece by piece, and ends each of them. */
export interface OpenMessages {
  text(id: string): void;
  endText(id: string): void;
  reasoning(id: string): void;
  endReasoning(id: string): void;
  /** A call begins; its arguments come in pieces, or as a whole. */
  call(toolCallId: string, toolName: string): void;
  callDelta(toolCallId: string, delta: string): void;
  wholeCall(call: Extract<UiChunk, { type: "tool-input-available" }>): void;
  result(toolCallId: string, content: string): void;
  /** Ends open messages. */
  endAll(): void;
}

/**
 * @param write - Takes the events.
 * @param parentOf - The message that a call which begins now belongs to.
 * @param resultId - The id of a result's message.
 */
export function openMessages(
  write: (event: AGUIEvent) => void,
  parentOf: () => string,
  resultId: (toolCallId: string) => string,
): OpenMessages {
  const texts = new Set<string>();
  const thoughts = new Set<string>();
  /** Open calls, each with a flag that tells if some of its arguments are written. */
  const calls = new Map<string, boolean>();
  /** The last shown input of each call. */
  const inputs = new Map<string, string>();

  const endText = (messageId: string): void => {
    if (texts.delete(messageId)) write({ type: EventType.TEXT_MESSAGE_END, messageId });
  };
  const endReasoning = (messageId: string): void => {
    if (!thoughts.delete(messageId)) return;
    write({ type: EventType.REASONING_MESSAGE_END, messageId });
    write({ type: EventType.REASONING_END, messageId });
  };
  const endCall = (toolCallId: string): void => {
    if (calls.delete(toolCallId)) write({ type: EventType.TOOL_CALL_END, toolCallId });
  };
  const call = (toolCallId: string, toolCallName: string): void => {
    calls.set(toolCallId, false);
    write({ type: EventType.TOOL_CALL_START, toolCallId, toolCallName, parentMessageId: parentOf() });
  };

  return {
    text(messageId) {
      texts.add(messageId);
      write({ type: EventType.TEXT_MESSAGE_START, messageId, role: "assistant" });
    },
    endText,
    reasoning(messageId) {
      thoughts.add(messageId);
      write({ type: EventType.REASONING_START, messageId });
      write({ type: EventType.REASONING_MESSAGE_START, messageId, role: "reasoning" });
    },
    endReasoning,
    call,
    callDelta(toolCallId, delta) {
      if (!calls.has(toolCallId)) return;
      calls.set(toolCallId, true);
      write({ type: EventType.TOOL_CALL_ARGS, toolCallId, delta });
    },
    wholeCall({ toolCallId, toolName, input }) {
      const text = asText(input);
      const before = inputs.get(toolCallId);
      inputs.set(toolCallId, text);
      if (before !== undefined && !calls.has(toolCallId)) {
        // The protocol cannot express arguments that a person changed.
        if (before !== text)
          write({
            type: EventType.CUSTOM,
            name: "tool-arguments-changed",
            value: { toolCallId, toolName, arguments: input },
          });
        return;
      }
      if (!calls.has(toolCallId)) call(toolCallId, toolName);
      if (calls.get(toolCallId) === false) write({ type: EventType.TOOL_CALL_ARGS, toolCallId, delta: text });
      endCall(toolCallId);
    },
    result(toolCallId, content) {
      endCall(toolCallId);
      write({ type: EventType.TOOL_CALL_RESULT, messageId: resultId(toolCallId), toolCallId, content });
    },
    endAll() {
      for (const id of texts) endText(id);
      for (const id of thoughts) endReasoning(id);
      for (const id of calls.keys()) endCall(id);
    },
  };
}

/** A value as a text. */
export const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? null));
