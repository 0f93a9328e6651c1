import { OpenQuestions, useAgentChat } from "@bailiwick/react";
import { getToolName, isToolUIPart, type UIMessage } from "ai";
import { useState, type JSX } from "react";

export function Chat({ id, messages }: { readonly id: string; readonly messages: UIMessage[] }): JSX.Element {
  const [text, setText] = useState("");
  const chat = useAgentChat({ id, api: "/api", messages });
  const isAtWork = chat.status === "submitted" || chat.status === "streaming";
  return (
    <main>
      {chat.messages.map((message) => (
        <article key={message.id} aria-label={message.role}>
          {message.parts.map((part, index) => {
            if (part.type === "text") return <p key={index}>{part.text}</p>;
            if (isToolUIPart(part)) return <p key={index}>{`${getToolName(part)}: ${part.state}`}</p>;
            return null;
          })}
        </article>
      ))}
      <OpenQuestions open={chat.open} />
      {chat.error !== undefined && <p role="alert">{chat.error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void chat.sendMessage({ text });
          setText("");
        }}
      >
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button disabled={isAtWork || text === ""}>Send</button>
        {isAtWork && (
          <button type="button" onClick={() => void chat.stop()}>
            Stop
          </button>
        )}
      </form>
    </main>
  );
}
