import type { UIMessage } from "ai";
import { StrictMode, useLayoutEffect, useState, type JSX } from "react";
import { createRoot } from "react-dom/client";
import { agentClient, useAgentChat, useChatHistory, useRun, type ChatHistory } from "./index.ts";

/** Messages that the server rendered into the page. */
declare global {
  var loaded: { readonly messages?: UIMessage[] } | undefined;
  var shown: string[] | undefined;
}

const query = new URLSearchParams(location.search);
/** The user of the page; `undefined` is an anonymous caller. */
let user = query.get("user") ?? undefined;
const headers = (): Record<string, string> => (user === undefined ? {} : { "x-user": user });
const client = agentClient({ headers });

interface ChatProps {
  readonly id: string;
  readonly messages: UIMessage[];
  readonly history?: ChatHistory | undefined;
}

function Chat({ id, messages, history }: ChatProps): JSX.Element {
  const { open, error, status, ...chat } = useAgentChat({ id, messages, headers });
  const last = chat.messages.findLast(({ role }) => role === "assistant");
  const run = useRun(client, last?.id, 50);
  const showEarlier = async (): Promise<void> => {
    const older = (await history?.loadOlder()) ?? [];
    chat.setMessages((shown) => [...older, ...shown]);
  };
  return (
    <main data-status={status}>
      {history?.hasOlder === true && (
        <button type="button" onClick={() => void showEarlier()}>
          Earlier
        </button>
      )}
      {chat.messages.map((message) => (
        <article key={message.id} data-id={message.id} data-role={message.role}>
          {message.parts.map((part, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- parts of a message stay where they are
            <p key={index}>
              {part.type === "text" ? part.text : ""}
              {"toolCallId" in part ? `[${part.type.slice(5)}: ${part.state}]` : ""}
              {part.type === "tool-locate" && part.state === "input-available" && (
                <button
                  type="button"
                  onClick={() =>
                    void chat.addToolOutput({
                      tool: "locate",
                      toolCallId: part.toolCallId,
                      output: { city: "Oslo" },
                    })
                  }
                >
                  Locate
                </button>
              )}
            </p>
          ))}
          {message.role === "user" && (
            <button type="button" onClick={() => void chat.sendMessage({ text: "Edited.", messageId: message.id })}>
              Edit
            </button>
          )}
        </article>
      ))}
      {open.interruptions.map((one) => (
        <section key={one.id} aria-label="Question">
          <p>{one.question.title}</p>
          <button type="button" onClick={() => void one.approve().catch(() => undefined)}>
            Approve
          </button>
          <button type="button" onClick={() => void one.reject().catch(() => undefined)}>
            Reject
          </button>
          <button type="button" onClick={() => void one.answer(3)}>
            Answer 3
          </button>
        </section>
      ))}
      {open.batches.map(({ interruptions, approve, reject }) => (
        <section key={interruptions[0]?.id} aria-label={`Batch of ${interruptions.length}`}>
          <button type="button" onClick={() => void approve()}>
            Approve all
          </button>
          <button type="button" onClick={() => void reject("Not now.")}>
            Reject all
          </button>
        </section>
      ))}
      <button type="button" onClick={() => void chat.sendMessage({ text: query.get("say") ?? "Hello." })}>
        Send
      </button>
      <button type="button" onClick={() => void chat.sendMessage({ text: "More." })}>
        Say more
      </button>
      <button type="button" onClick={() => void chat.stop()}>
        Stop
      </button>
      <button type="button" onClick={() => void chat.regenerate()}>
        Regenerate
      </button>
      <output aria-label="Error">{error?.message ?? open.error?.message ?? ""}</output>
      <output aria-label="Run">
        {run.run?.status ?? ""} {run.events.at(-1)?.type ?? ""}
      </output>
    </main>
  );
}

function LoadedInPage({ id }: { readonly id: string }): JSX.Element {
  const limit = query.get("limit");
  const history = useChatHistory(client, id, limit === null ? undefined : Number(limit));
  if (history.chat === undefined) return <p>Loading</p>;
  return <Chat id={id} messages={history.chat.messages} history={history} />;
}

/** Follows one of several runs, and keeps each text that it showed. */
function Followed({ runIds }: { readonly runIds: readonly string[] }): JSX.Element {
  const [at, setAt] = useState(0);
  const { run, events, error } = useRun(client, runIds[at], 50);
  const text = `asked ${at}, shown ${run === undefined ? "none" : runIds.indexOf(run.runId)}, ${events.length} records, ${error?.message ?? "no error"}`;
  useLayoutEffect(() => void (globalThis.shown ??= []).push(text), [text]);
  return (
    <main data-status="ready">
      <button type="button" onClick={() => setAt(at + 1)}>
        Next run
      </button>
      <output aria-label="Run">{text}</output>
    </main>
  );
}

function Page(): JSX.Element {
  const [isShown, setIsShown] = useState(true);
  const id = query.get("chat") ?? "chat-of-a-test-page";
  return (
    <>
      <button type="button" onClick={() => setIsShown(!isShown)}>
        Leave
      </button>
      <button type="button" onClick={() => (user = "bob")}>
        Sign in as Bob
      </button>
      {query.get("runs") !== null && <Followed runIds={query.get("runs")?.split(",") ?? []} />}
      {isShown &&
        query.get("runs") === null &&
        (globalThis.loaded?.messages === undefined ? (
          <LoadedInPage id={id} />
        ) : (
          <Chat id={id} messages={globalThis.loaded.messages} />
        ))}
    </>
  );
}

const root = document.querySelector("#root");
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
