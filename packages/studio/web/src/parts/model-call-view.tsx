import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Message } from "@bailiwick/core";
import type { StudioModelCall, StudioSpan } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { count, plural } from "../format.ts";
import { JsonView } from "./json-view.tsx";
import { Failed, Loading } from "./states.tsx";

interface ModelCallViewProps {
  readonly runId: string;
  readonly span: StudioSpan;
  /** The other model calls of the run. */
  readonly before: readonly StudioSpan[];
}

const views = ["Conversation", "Answer", "Compare", "Raw"] as const;

/** A model call: what the model was sent, what it answered, and what was added since another call. */
export function ModelCallView({ runId, span, before }: ModelCallViewProps) {
  const seq = span.records[0] ?? 0;
  const call = useQuery({ queryKey: ["model", runId, seq, span.endAt], queryFn: () => api.modelCall(runId, seq) });
  const [view, setView] = useState<(typeof views)[number]>("Conversation");
  if (call.isPending) return <Loading lines={4} />;
  if (call.isError) return <Failed error={call.error} />;
  const { messages, notes, tools, response, provider, model, requestHash } = call.data;
  return (
    <div className="model-call">
      <div className="segments" role="group" aria-label="Part of the call">
        {views.map((name) => (
          <button key={name} type="button" aria-pressed={view === name} onClick={() => setView(name)}>
            {name}
          </button>
        ))}
      </div>
      {view === "Conversation" && (
        <>
          <p className="soft small">
            {plural(messages.length, "message")} and {plural(tools.length, "tool")} were sent to {provider}/{model}. The
            conversation is rebuilt from the journal; the agent's instructions are made by its code and are not
            journaled.
          </p>
          {notes.map((note) => (
            <p key={note} className="note">
              {note}
            </p>
          ))}
          <Messages messages={messages} />
          {tools.length > 0 && (
            <details>
              <summary>Tools offered</summary>
              <p className="tool-names">
                {tools.map((name) => (
                  <code key={name}>{name}</code>
                ))}
              </p>
            </details>
          )}
        </>
      )}
      {view === "Answer" &&
        (response === undefined ? (
          <p className="soft">The model has not answered.</p>
        ) : (
          <>
            {response.error !== undefined && (
              <p className="note bad">
                <strong>{response.error.code}</strong> {response.error.message}
              </p>
            )}
            {response.warnings?.map((warning) => (
              <p key={`${warning.code} ${warning.message}`} className="note">
                {warning.message}
              </p>
            ))}
            <Messages messages={[response.message]} />
          </>
        ))}
      {view === "Compare" && <Compare runId={runId} call={call.data} others={before} seq={seq} />}
      {view === "Raw" && (
        <JsonView value={{ requestHash, provider, model, tools, messages, response }} label="Model call" />
      )}
    </div>
  );
}

/** Messages, as the model reads them. */
function Messages({ messages }: { readonly messages: readonly Message[] }) {
  return (
    <ol className="messages">
      {messages.map((message) => (
        <MessageItem key={message.id} message={message} />
      ))}
    </ol>
  );
}

function MessageItem({ message, tone }: { readonly message: Message; readonly tone?: string }) {
  const text = textOf(message);
  const calls = message.role === "assistant" ? message.toolCalls : [];
  return (
    <li className={`message ${message.role} ${tone ?? ""}`}>
      <p className="role">
        {message.role === "tool" ? `result of ${message.toolName}` : message.role}
        {message.role === "tool" && message.isError === true && <span className="badge bad">error</span>}
      </p>
      {text !== "" && (
        <div className="message-text" dir="auto" tabIndex={text.length > 600 ? 0 : undefined}>
          {text}
        </div>
      )}
      {calls.map((call) => (
        <JsonView key={call.id} value={call.input ?? call.arguments} label={`calls ${call.name}`} />
      ))}
    </li>
  );
}

function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return content
    .flatMap((part) => (part.type === "tool_call" ? [] : "text" in part ? [part.text] : [`[${part.type}]`]))
    .join("\n");
}

interface CompareProps {
  readonly runId: string;
  readonly call: StudioModelCall;
  readonly others: readonly StudioSpan[];
  readonly seq: number;
}

/** Messages that two calls have in common, and those that only one of them has. */
function Compare({ runId, call, others, seq }: CompareProps) {
  const usual = others.findLast((span) => (span.records[0] ?? 0) < seq) ?? others[0];
  const [chosen, setChosen] = useState(usual?.records[0]);
  const other = useQuery({
    queryKey: ["model", runId, chosen],
    queryFn: () => api.modelCall(runId, chosen ?? 0),
    enabled: chosen !== undefined,
  });
  if (chosen === undefined) return <p className="soft">The run has no other model call.</p>;
  const known = new Set(other.data?.messages.map((message) => JSON.stringify(message)));
  const now = new Set(call.messages.map((message) => JSON.stringify(message)));
  const added = call.messages.filter((message) => !known.has(JSON.stringify(message)));
  const removed = other.data?.messages.filter((message) => !now.has(JSON.stringify(message))) ?? [];
  return (
    <>
      <label className="field-row">
        Compare with
        <select value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
          {others.map((span) => (
            <option key={span.id} value={span.records[0]}>
              turn {span.turn}, {span.title} {span.note ?? ""}
            </option>
          ))}
        </select>
      </label>
      {other.isPending && <Loading lines={3} />}
      {other.isSuccess && (
        <>
          <p className="soft small">
            {plural(call.messages.length - added.length, "message")} as before, {count(added.length)} added,{" "}
            {count(removed.length)} gone.
          </p>
          <ol className="messages">
            {removed.map((message) => (
              <MessageItem key={`gone ${message.id}`} message={message} tone="gone" />
            ))}
            {added.map((message) => (
              <MessageItem key={message.id} message={message} tone="added" />
            ))}
          </ol>
        </>
      )}
    </>
  );
}
