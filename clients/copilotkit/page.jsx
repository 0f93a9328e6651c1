// A page over CopilotKit's hooks for React, with an agent of its own in place of CopilotKit's server.
import { HttpAgent } from "@ag-ui/client";
import {
  CopilotKitProvider,
  useAgent,
  useAgentContext,
  useCopilotKit,
  useFrontendTool,
  useInterrupt,
} from "@copilotkit/react-core/v2";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { z } from "zod";

const clerk = new HttpAgent({ url: "/ag-ui", threadId: crypto.randomUUID() });

function Chat() {
  const [row, setRow] = useState(0);
  const { agent } = useAgent({ agentId: "clerk" });
  const { copilotkit } = useCopilotKit();
  useAgentContext({ description: "Selected row", value: { row } });
  useFrontendTool({
    name: "highlight",
    description: "Highlights a row.",
    parameters: z.object({ row: z.number() }),
    handler: async ({ row: wanted }) => {
      setRow(wanted);
      return { shown: wanted };
    },
  });
  useFrontendTool({
    name: "rename",
    description: "Renames the page.",
    parameters: z.object({ title: z.string() }),
    handler: async ({ title }) => {
      document.title = title;
      return "renamed";
    },
  });
  const question = useInterrupt({
    agentId: "clerk",
    renderInChat: false,
    render: ({ interrupt, resolve }) => (
      <fieldset data-question={interrupt.id}>
        <legend>{interrupt.reason}</legend>
        <p>{interrupt.message}</p>
        <button onClick={() => void resolve({ approved: true })}>Approve</button>
      </fieldset>
    ),
  });
  const say = (content) => {
    agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
    void copilotkit.runAgent({ agent });
  };
  return (
    <main data-row={row} data-running={agent.isRunning}>
      {agent.messages.map(
        ({ id, role, content }) => typeof content === "string" && <p key={id}>{`${role}: ${content}`}</p>,
      )}
      {question}
      {["Hello.", "highlight", "rename", "pay"].map((text) => (
        <button key={text} onClick={() => say(text)}>
          {text}
        </button>
      ))}
    </main>
  );
}

createRoot(document.querySelector("#root")).render(
  <CopilotKitProvider agents__unsafe_dev_only={{ clerk }}>
    <Chat />
  </CopilotKitProvider>,
);
