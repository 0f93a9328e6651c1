"use client";

import { agentClient, useAgentChat, useChatHistory } from "@bailiwick/react";
import type { UIMessage } from "ai";
import { useState } from "react";

const client = agentClient({ api: "/api" });

function Chat({ id, messages }: { readonly id: string; readonly messages: UIMessage[] }) {
  const chat = useAgentChat({ id, api: "/api", messages });
  const [text, setText] = useState("");
  return (
    <main>
      {chat.messages.map(({ id: messageId, role, parts }) => (
        <p key={messageId}>
          <b>{role}</b> {parts.map((part) => (part.type === "text" ? part.text : "")).join("")}
        </p>
      ))}
      {chat.open.interruptions.map((question) => (
        <fieldset key={question.id}>
          <legend>{question.question.title}</legend>
          <button onClick={() => void question.approve()}>Approve</button>
          <button onClick={() => void question.reject()}>Reject</button>
        </fieldset>
      ))}
      {chat.error !== undefined && <p role="alert">{chat.error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void chat.sendMessage({ text });
          setText("");
        }}
      >
        <input
          aria-label="Message"
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder="Refund order 1042"
        />
        <button>Send</button>
        <button type="button" onClick={() => void chat.stop()}>
          Stop
        </button>
      </form>
    </main>
  );
}

/** The chat with the agent, after its history is loaded. */
export function ChatPage({ id }: { readonly id: string }) {
  const { chat, error } = useChatHistory(client, id);
  if (error !== undefined) return <p role="alert">{error.message}</p>;
  return chat === undefined ? <p>Loading</p> : <Chat id={id} messages={chat.messages} />;
}
