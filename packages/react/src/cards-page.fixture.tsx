import { OpenQuestions, useAgentChat, useChatHistory, agentClient } from "@bailiwick/react";
import type { UIMessage } from "ai";
import { StrictMode, type JSX } from "react";
import { createRoot } from "react-dom/client";

const client = agentClient();
const query = new URLSearchParams(location.search);
const id = query.get("chat") ?? "chat-of-a-page-with-cards";

function Chat({ messages }: { readonly messages: UIMessage[] }): JSX.Element {
  const { open, status, ...chat } = useAgentChat({ id, messages });
  const texts = chat.messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  );
  return (
    <main data-status={status}>
      <h1>Desk</h1>
      <div aria-live="polite">
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <OpenQuestions open={open} />
    </main>
  );
}

function Page(): JSX.Element {
  const { chat } = useChatHistory(client, id);
  return chat === undefined ? <p>Loading</p> : <Chat messages={chat.messages} />;
}

document.documentElement.dir = query.get("dir") ?? "ltr";
const root = document.querySelector("#root");
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
