import { agentClient, useChatHistory } from "@bailiwick/react";
import { useState, type JSX } from "react";
import { Chat } from "./chat.tsx";

const client = agentClient({ api: "/api" });

/** One chat, named in the address: a reload shows it again. */
export function ChatPage(): JSX.Element {
  const [id] = useState(() => {
    const url = new URL(location.href);
    const found = url.searchParams.get("chat") ?? crypto.randomUUID();
    url.searchParams.set("chat", found);
    history.replaceState(null, "", url);
    return found;
  });
  const { chat, error } = useChatHistory(client, id);
  if (error !== undefined) return <p role="alert">{error.message}</p>;
  return chat === undefined ? <p>Loading</p> : <Chat id={id} messages={chat.messages} />;
}
