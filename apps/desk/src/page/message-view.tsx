import { isToolUIPart } from "ai";
import { AgentText } from "./agent-text.tsx";
import { ToolCallView } from "./tool-call-view.tsx";
import type { DeskMessage } from "./read-conversation.ts";

interface MessageViewProps {
  readonly message: DeskMessage;
  /** Calls whose question to a person is open. */
  readonly asking: ReadonlySet<string>;
}

/** A message: a person's words, or the agent's text and calls in the order in which they came. */
export function MessageView({ message, asking }: MessageViewProps) {
  return (
    <div className={`message ${message.role}`}>
      <p className="who">{message.role === "user" ? "You" : "Agent"}</p>
      {message.parts.map((part, index) => {
        const key = `${message.id}-${index}`;
        if (part.type === "text")
          return part.text === "" ? null : message.role === "user" ? (
            <p key={key} className="text" dir="auto">
              {part.text}
            </p>
          ) : (
            <AgentText key={key} text={part.text} />
          );
        if (part.type === "reasoning") {
          return part.text === "" ? null : (
            <details key={key} className="reasoning">
              <summary>Thinking</summary>
              <AgentText text={part.text} />
            </details>
          );
        }
        return isToolUIPart(part) ? <ToolCallView key={key} part={part} asks={asking.has(part.toolCallId)} /> : null;
      })}
    </div>
  );
}
