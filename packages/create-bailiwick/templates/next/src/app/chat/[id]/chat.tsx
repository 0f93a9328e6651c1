"use client";

import { agentClient, OpenQuestions, useAgentChat, useChatHistory } from "@bailiwick/react";
import { isToolUIPart, type UIMessage } from "ai";
import { useState, type ReactNode } from "react";

const client = agentClient({ api: "/api" });

/** One part of a message: a text, a picture, or a tool call, which is folded. */
function Part({ part }: { readonly part: UIMessage["parts"][number] }) {
  if (part.type === "text") return <p dir="auto">{part.text}</p>;
  if (part.type === "file" && part.mediaType.startsWith("image/"))
    return <img src={part.url} alt={part.filename ?? ""} />;
  if (!isToolUIPart(part)) return null;
  const name = part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);
  const ends: Partial<Record<typeof part.state, string>> = {
    "output-available": "done",
    "output-error": "failed",
    "output-denied": "rejected",
    "approval-requested": "waits for you",
  };
  return (
    <details className="call">
      <summary>
        {name}: {ends[part.state] ?? "running"}
      </summary>
      <pre>{JSON.stringify({ input: part.input, ...("output" in part && { output: part.output }) }, null, 2)}</pre>
    </details>
  );
}

function Chat({ id, messages }: { readonly id: string; readonly messages: UIMessage[] }) {
  const chat = useAgentChat({ id, api: "/api", messages });
  const [text, setText] = useState("");
  const isAtWork = chat.status === "submitted" || chat.status === "streaming";
  const send = () => {
    if (text.trim() === "" || isAtWork) return;
    void chat.sendMessage({ text });
    setText("");
  };
  return (
    <main className="chat">
      <header>
        <h1>Desk</h1>
        <p>Asks you before it pays anything back.</p>
      </header>
      <div className="messages" aria-live="polite">
        {chat.messages.map(({ id: messageId, role, parts }) => (
          <article key={messageId} className={`message ${role}`} aria-label={role === "user" ? "You" : "Desk"}>
            {parts.map((part, index) => (
              <Part key={index} part={part} />
            ))}
          </article>
        ))}
        <OpenQuestions open={chat.open} />
        {chat.error !== undefined && (
          <p className="error" role="alert">
            {chat.error.message}{" "}
            <button type="button" className="button" onClick={() => void chat.regenerate()}>
              Retry
            </button>
          </p>
        )}
      </div>
      <form
        className="composer"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          aria-label="Message"
          rows={1}
          dir="auto"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
          placeholder="Refund order 1042"
        />
        {isAtWork ? (
          <button key="stop" type="button" className="button" onClick={() => void chat.stop()}>
            Stop
          </button>
        ) : (
          <button key="send" className="button primary">
            Send
          </button>
        )}
      </form>
    </main>
  );
}

/** The chat with the agent, after its history is loaded. */
export function ChatPage({ id }: { readonly id: string }): ReactNode {
  const { chat, error } = useChatHistory(client, id);
  if (error !== undefined) return <p role="alert">{error.message}</p>;
  return chat === undefined ? <p>Loading</p> : <Chat id={id} messages={chat.messages} />;
}
