"use client";

import { agentClient, OpenQuestions, useAgentChat, useChatHistory } from "@bailiwick/react";
import type { UIMessage } from "ai";
import { useEffect, useRef, type ReactNode } from "react";
import { Composer } from "./composer.tsx";
import { Message } from "./message.tsx";

const client = agentClient({ api: "/api" });

const suggestions = ["Where is order 1042?", "Refund order 1042."];

/** Keeps the end of a list in view while it grows, unless the person has scrolled up; a question is shown from its top. */
function useFollow(content: unknown) {
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (!isAtEnd.current) return;
    list.current?.scrollTo({ top: list.current.scrollHeight });
    list.current?.querySelector(".bw-card")?.scrollIntoView({ block: "start" });
  }, [content]);
  const onScroll = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = list.current ?? {};
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < 48;
  };
  return { ref: list, onScroll };
}

function Chat({ id, messages }: { readonly id: string; readonly messages: UIMessage[] }) {
  const chat = useAgentChat({ id, api: "/api", messages });
  const isAtWork = chat.status === "submitted" || chat.status === "streaming";
  const last = chat.messages.at(-1);
  const isWaiting = chat.open.interruptions.length > 0;
  const follow = useFollow(`${chat.messages.length} ${JSON.stringify(last?.parts).length} ${isWaiting} ${chat.status}`);
  return (
    <main className="chat">
      <header>
        <span className="logo" aria-hidden="true">
          D
        </span>
        <div>
          <h1>Desk</h1>
          <p>Asks you before it pays anything back.</p>
        </div>
      </header>
      <div className="scroll" tabIndex={0} role="log" aria-label="Messages" {...follow}>
        <div className="messages">
          {chat.messages.length === 0 && (
            <div className="empty">
              <h2>How can I help?</h2>
              <div className="suggestions">
                {suggestions.map((text) => (
                  <button key={text} type="button" className="button" onClick={() => void chat.sendMessage({ text })}>
                    {text}
                  </button>
                ))}
              </div>
            </div>
          )}
          {chat.messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
          {isAtWork && last?.role === "user" && (
            <p className="typing" role="status" aria-label="Desk is at work">
              <span />
              <span />
              <span />
            </p>
          )}
          <OpenQuestions open={chat.open} />
          {chat.error !== undefined && (
            <p className="error" role="alert">
              {chat.error.message}{" "}
              <button type="button" className="button" onClick={() => void chat.regenerate()}>
                Retry
              </button>
            </p>
          )}
          {chat.error === undefined && !isAtWork && !isWaiting && last?.role === "assistant" && (
            <button type="button" className="again" onClick={() => void chat.regenerate()}>
              Another answer
            </button>
          )}
        </div>
      </div>
      <Composer isAtWork={isAtWork} onSend={(draft) => void chat.sendMessage(draft)} onStop={() => void chat.stop()} />
    </main>
  );
}

/** The chat with the agent, after its history is loaded. */
export function ChatPage({ id }: { readonly id: string }): ReactNode {
  const { chat, error, reload } = useChatHistory(client, id);
  if (error !== undefined)
    return (
      <p className="notice" role="alert">
        {error.message}{" "}
        <button type="button" className="button" onClick={reload}>
          Try again
        </button>
      </p>
    );
  return chat === undefined ? <p className="notice">Loading</p> : <Chat id={id} messages={chat.messages} />;
}
