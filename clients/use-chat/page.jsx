// A page as the AI SDK's documentation has it: useChat, its default transport, and nothing of this project.
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

const query = new URLSearchParams(location.search);
const id = query.get("chat");
const headers = query.has("user") ? { "x-user": query.get("user") } : {};
/** The run whose stream is read next, also when it is over. */
let answered;
const post = (path, body) =>
  fetch(`/api${path}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const transport = new DefaultChatTransport({
  api: "/api/chat",
  headers,
  prepareReconnectToStreamRequest: ({ id: chatId }) => {
    const api = answered === undefined ? `/api/chat/${chatId}/stream` : `/api/runs/${answered}/stream`;
    answered = undefined;
    return { api, headers };
  },
});

function Chat({ messages: initial }) {
  const { messages, sendMessage, status, error, stop, regenerate, resumeStream, addToolApprovalResponse } = useChat({
    id,
    messages: initial,
    transport,
    resume: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const stopRun = () => {
    const assistantMessage = messages.findLast(({ role }) => role === "assistant");
    void post(`/chat/${id}/stop`, { assistantMessage });
    void stop();
  };
  const answer = async (interruption) => {
    await post(`/runs/${interruption.runId}/decisions`, {
      decisions: [{ id: interruption.id, type: "answer", value: 3 }],
    });
    answered = interruption.runId;
    await resumeStream();
  };
  return (
    <main data-status={status}>
      {messages.map((message) => (
        <article key={message.id} data-id={message.id} data-role={message.role}>
          {message.parts.map((part, index) => (
            <div key={index}>
              {part.type === "text" && <p>{part.text}</p>}
              {"toolCallId" in part && <p>{`[${part.type.slice(5)}: ${part.state}]`}</p>}
              {part.state === "approval-requested" &&
                [true, false].map((approved) => (
                  <button
                    key={String(approved)}
                    onClick={() => void addToolApprovalResponse({ id: part.approval.id, approved, reason: "so" })}
                  >
                    {approved ? "Approve" : "Reject"}
                  </button>
                ))}
              {part.type === "data-interruption" && !part.data.settled && (
                <button onClick={() => void answer(part.data.interruption)}>
                  {part.data.interruption.question.title}
                </button>
              )}
            </div>
          ))}
          {message.role === "user" && (
            <button onClick={() => void sendMessage({ text: "Edited.", messageId: message.id })}>Edit</button>
          )}
        </article>
      ))}
      <button onClick={() => void sendMessage({ text: query.get("say") })}>Send</button>
      <button onClick={stopRun}>Stop</button>
      <button onClick={() => void regenerate()}>Regenerate</button>
      <output>{error?.message}</output>
    </main>
  );
}

function Page() {
  const [messages, setMessages] = useState(globalThis.loaded.messages);
  useEffect(() => {
    if (messages !== undefined) return;
    void fetch(`/api/chat/${id}`, { headers })
      .then((response) => response.json())
      .then((chat) => setMessages(chat.messages));
  }, [messages]);
  return messages === undefined ? null : <Chat messages={messages} />;
}

createRoot(document.querySelector("#root")).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
