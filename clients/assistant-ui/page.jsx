// A thread of assistant-ui's primitives, over its runtime for the AI SDK.
import { useChat } from "@ai-sdk/react";
import {
  ActionBarPrimitive,
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
} from "@assistant-ui/react";
import { AssistantChatTransport, useAISDKRuntime } from "@assistant-ui/react-ai-sdk";
import { lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { useAgentTransport } from "../../packages/react/src/index.ts";

const query = new URLSearchParams(location.search);
const id = query.get("chat");
const theirs = new AssistantChatTransport({ api: "/api/chat" });

const Text = ({ text }) => <p>{text}</p>;
const Tool = ({ toolName, status, approval, respondToApproval }) => (
  <div>
    <p>{`[${toolName}: ${status.type}]`}</p>
    {approval?.approved === undefined && approval !== undefined && (
      <button onClick={() => respondToApproval({ approved: true })}>Approve</button>
    )}
  </div>
);
const UserMessage = () => (
  <MessagePrimitive.Root>
    <article data-role="user">
      <MessagePrimitive.Parts components={{ Text }} />
      <ActionBarPrimitive.Edit>Edit</ActionBarPrimitive.Edit>
    </article>
  </MessagePrimitive.Root>
);
const EditComposer = () => (
  <ComposerPrimitive.Root>
    <ComposerPrimitive.Input aria-label="New words" />
    <ComposerPrimitive.Send>Save</ComposerPrimitive.Send>
  </ComposerPrimitive.Root>
);
const AssistantMessage = () => (
  <MessagePrimitive.Root>
    <article data-role="assistant">
      <MessagePrimitive.Parts components={{ Text, tools: { Fallback: Tool } }} />
      <ActionBarPrimitive.Reload>Reload</ActionBarPrimitive.Reload>
    </article>
  </MessagePrimitive.Root>
);

function Thread({ messages }) {
  const ours = useAgentTransport({ id, api: "/api" });
  const transport = query.get("transport") === "ours" ? ours : theirs;
  const chat = useChat({
    id,
    messages,
    transport,
    resume: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const runtime = useAISDKRuntime(chat);
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <main data-status={chat.status}>
        <ThreadPrimitive.Root>
          <ThreadPrimitive.Messages components={{ UserMessage, EditComposer, AssistantMessage }} />
          <ComposerPrimitive.Root>
            <ComposerPrimitive.Input aria-label="Message" />
            <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
            <ComposerPrimitive.Cancel>Stop</ComposerPrimitive.Cancel>
          </ComposerPrimitive.Root>
        </ThreadPrimitive.Root>
        <output>{chat.error?.message}</output>
      </main>
    </AssistantRuntimeProvider>
  );
}

function Page() {
  const [messages, setMessages] = useState();
  useEffect(() => {
    void fetch(`/api/chat/${id}`)
      .then((response) => response.json())
      .then((chat) => setMessages(chat.messages));
  }, []);
  return messages === undefined ? null : <Thread messages={messages} />;
}

createRoot(document.querySelector("#root")).render(<Page />);
