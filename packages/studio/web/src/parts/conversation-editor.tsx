import type { Message } from "@bailiwick/core";
import { Icon } from "../icons.tsx";
import { editableText, newMessage, without, withText } from "../playground.ts";
import { JsonView } from "./json-view.tsx";
import { RoleName } from "./message-list.tsx";

interface ConversationEditorProps {
  readonly messages: readonly Message[];
  readonly onChange: (messages: readonly Message[]) => void;
}

/** The conversation that every fork begins with; each message and tool result can be edited. */
export function ConversationEditor({ messages, onChange }: ConversationEditorProps) {
  return (
    <section className="editor" aria-label="Conversation">
      <h2>Conversation</h2>
      <ol className="messages">
        {messages.map((message, index) => (
          <li key={message.id} className={`message ${message.role}`}>
            <p className="role">
              <RoleName message={message} />
              <button
                type="button"
                className="quiet icon-button"
                aria-label={`Remove message ${index + 1}`}
                disabled={messages.length === 1}
                onClick={() => onChange(without(messages, message.id))}
              >
                <Icon name="close" size={12} />
              </button>
            </p>
            <textarea
              aria-label={`Text of message ${index + 1}, ${roleOf(message)}`}
              dir="auto"
              rows={Math.min(12, Math.max(2, Math.ceil(editableText(message).length / 60)))}
              placeholder={message.role === "user" ? "Write to the agent" : "No text"}
              value={editableText(message)}
              onChange={({ target }) =>
                onChange(messages.map((one) => (one.id === message.id ? withText(one, target.value) : one)))
              }
            />
            {message.role === "assistant" &&
              message.toolCalls.map((call) => (
                <JsonView key={call.id} value={call.input ?? call.arguments} label={`calls ${call.name}`} />
              ))}
          </li>
        ))}
      </ol>
      <button type="button" onClick={() => onChange([...messages, newMessage("")])}>
        Add a message
      </button>
    </section>
  );
}

function roleOf(message: Message): string {
  return message.role === "tool" ? `result of ${message.toolName}` : message.role;
}
