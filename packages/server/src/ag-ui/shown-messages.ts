import { EventType, type AGUIEvent, type AssistantMessage, type Message } from "@ag-ui/core";

/**
 * The messages that a client has built from the events so far. Events cannot retract a message: if that is necessary,
 * all messages are sent again.
 */
export interface ShownMessages {
  /** Records an event on its way to the client. */
  take(event: AGUIEvent): void;
  /** Sets a mark; later messages can be taken back. */
  mark(): void;
  /** The messages without those since the mark. */
  withoutMarked(): readonly Message[];
}

/**
 * @param before - The client's earlier messages.
 */
export function shownMessages(before: readonly Message[]): ShownMessages {
  const messages: Message[] = [...before];
  let marked = messages.length;

  const grow = (id: string, delta: string): void => {
    const message = messages.findLast((one) => one.id === id);
    if (message !== undefined && typeof message.content === "string") message.content += delta;
  };
  const caller = (id: string): AssistantMessage => {
    const known = messages.findLast((message) => message.id === id && message.role === "assistant");
    if (known !== undefined) return known as AssistantMessage;
    const made: AssistantMessage = { id, role: "assistant" };
    messages.push(made);
    return made;
  };
  const callOf = (toolCallId: string): NonNullable<AssistantMessage["toolCalls"]>[number] | undefined =>
    messages
      .flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
      .findLast(({ id }) => id === toolCallId);

  return {
    take(event) {
      switch (event.type) {
        case EventType.TEXT_MESSAGE_START:
          messages.push({ id: event.messageId, role: event.role === "user" ? "user" : "assistant", content: "" });
          return;
        case EventType.REASONING_MESSAGE_START:
          messages.push({ id: event.messageId, role: "reasoning", content: "" });
          return;
        case EventType.TEXT_MESSAGE_CONTENT:
        case EventType.REASONING_MESSAGE_CONTENT:
          return grow(event.messageId, event.delta);
        case EventType.TOOL_CALL_START: {
          const message = caller(event.parentMessageId ?? event.toolCallId);
          const call = {
            id: event.toolCallId,
            type: "function" as const,
            function: { name: event.toolCallName, arguments: "" },
          };
          message.toolCalls = [...(message.toolCalls ?? []), call];
          return;
        }
        case EventType.TOOL_CALL_ARGS: {
          const call = callOf(event.toolCallId);
          if (call !== undefined) call.function.arguments += event.delta;
          return;
        }
        case EventType.TOOL_CALL_RESULT: {
          const { messageId: id, toolCallId, content } = event;
          messages.push({ id, role: "tool", toolCallId, content });
          return;
        }
        default:
      }
    },
    mark() {
      marked = messages.length;
    },
    withoutMarked() {
      messages.length = marked;
      return structuredClone(messages);
    },
  };
}
