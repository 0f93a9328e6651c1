import type { Message } from "@bailiwick/core";
import { JsonView } from "./json-view.tsx";

const roles = { system: "System", user: "User", assistant: "Assistant" } as const;

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

/** The author of a message. */
export function RoleName({ message }: { readonly message: Message }) {
  if (message.role !== "tool") return <span>{roles[message.role]}</span>;
  return (
    <span>
      Result of <code>{message.toolName}</code>
    </span>
  );
}

/** One message with its tool calls. */
export function MessageItem({ message, tone }: { readonly message: Message; readonly tone?: string }) {
  const text = textOf(message);
  const calls = message.role === "assistant" ? message.toolCalls : [];
  return (
    <li className={`message ${message.role} ${tone ?? ""}`}>
      <p className="role">
        <RoleName message={message} />
        {message.role === "tool" && message.isError === true && <span className="badge bad">error</span>}
      </p>
      {text !== "" && (
        <div className="message-text" dir="auto" tabIndex={text.length > 600 ? 0 : undefined}>
          {text}
        </div>
      )}
      <Images content={message.content} />
      {calls.map((call) => (
        <JsonView key={call.id} value={call.input ?? call.arguments} label={`calls ${call.name}`} />
      ))}
    </li>
  );
}

const imageTypes = /^image\/(?:png|jpeg|gif|webp)$/u;

/**
 * Shows the images of a message whose bytes are stored. An image at an address is not shown: the page loads nothing from
 * other hosts.
 */
export function Images({ content }: { readonly content: unknown }) {
  const sources = Array.isArray(content) ? content.flatMap(sourceOf) : [];
  return sources.map((source, index) => (
    <img key={index} className="message-image" src={source} alt={`Part ${index + 1} of the message`} />
  ));
}

function sourceOf(part: unknown): readonly string[] {
  const { type, data, mimeType = "image/png" } = part as { type?: unknown; data?: unknown; mimeType?: string };
  if (type !== "image" || typeof data !== "string" || !imageTypes.test(mimeType)) return [];
  return [data.startsWith("data:image/") ? data : `data:${mimeType};base64,${data}`];
}

/** The text of a message; other parts are named in brackets. */
export function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return content
    .flatMap((part) => (part.type === "tool_call" ? [] : "text" in part ? [part.text] : [`[${part.type}]`]))
    .join("\n");
}
