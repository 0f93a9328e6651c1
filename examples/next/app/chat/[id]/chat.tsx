"use client";

import { useAgentChat, type OpenInterruption } from "@bailiwick/react";
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
      {chat.open.interruptions.map((one) => (
        <Question key={one.id} one={one} />
      ))}
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

function Question({ one }: { readonly one: OpenInterruption }): JSX.Element {
  return (
    <fieldset>
      <legend>{one.question.title}</legend>
      <pre>{JSON.stringify(one.args, null, 2)}</pre>
      <button onClick={() => void one.approve()}>Approve</button>
      <button onClick={() => void one.reject()}>Reject</button>
    </fieldset>
  );
}
