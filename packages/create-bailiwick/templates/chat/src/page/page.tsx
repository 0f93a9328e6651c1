import { agentClient, useChatHistory } from "@bailiwick/react";
import { useState } from "react";
import { Chat } from "./chat.tsx";

const client = agentClient({ api: "/api" });

/** The id of this browser's chat. */
function chatId(): string {
  const id = localStorage.getItem("chat") ?? crypto.randomUUID();
  localStorage.setItem("chat", id);
  return id;
}

/** The page: it loads the chat, then shows it. */
export function Page() {
  const [id] = useState(chatId);
  const { chat, error, reload } = useChatHistory(client, id);
  if (error !== undefined)
    return (
      <p className="notice" role="alert">
        {error.message} Start the server with <code>npm run server</code>.{" "}
        <button type="button" className="button" onClick={reload}>
          Try again
        </button>
      </p>
    );
  return chat === undefined ? <p className="notice">Loading</p> : <Chat id={id} messages={chat.messages} />;
}
