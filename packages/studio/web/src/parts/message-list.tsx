import type { Message } from "@bailiwick/core";
import { JsonView } from "./json-view.tsx";

/** Messages, as the model reads them. */
export function Messages({ messages, tone }: { readonly messages: readonly Message[]; readonly tone?: string }) {
  return (
    <ol className="messages">
      {messages.map((message, index) => (
        <MessageItem key={`${message.id} ${index}`} message={message} {...(tone !== undefined && { tone })} />
      ))}
    </ol>
  );
}

/** One message with its tool calls. */
export function MessageItem({ message, tone }: { readonly message: Message; readonly tone?: string }) {
  const text = textOf(message);
  const calls = message.role === "assistant" ? message.toolCalls : [];
  return (
    <li className={`message ${message.role} ${tone ?? ""}`}>
      <p className="role">
        {message.role === "tool" ? `result of ${message.toolName}` : message.role}
        {message.role === "tool" && message.isError === true && <span className="badge bad">error</span>}
      </p>
      {text !== "" && (
        <div className="message-text" dir="auto" tabIndex={text.length > 600 ? 0 : undefined}>
          {text}
        </div>
      )}
      {calls.map((call) => (
        <JsonView key={call.id} value={call.input ?? call.arguments} label={`calls ${call.name}`} />
      ))}
    </li>
  );
}

/** The text of a message; other parts are named in brackets. */
export function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return content
    .flatMap((part) => (part.type === "tool_call" ? [] : "text" in part ? [part.text] : [`[${part.type}]`]))
    .join("\n");
}
