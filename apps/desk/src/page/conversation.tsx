import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { useCallback, useEffect, useMemo, useRef, useState, type FormEvent } from "react";
import type { DeskConfig, RunRow } from "../desk-api.ts";
import { api, runStreamPath } from "./api.ts";
import { BatchCard, cardsOf } from "./batch-card.tsx";
import { inWords } from "./format.ts";
import { keepFocus } from "./keep-focus.ts";
import { MessageView } from "./message-view.tsx";
import { studioHref } from "./use-route.ts";
import { useFollowGrowth } from "./use-follow-growth.ts";
import { readConversation, userMessage, type DeskMessage } from "./read-conversation.ts";

/** Time until the conversation is read again after the server did not answer, in milliseconds. */
const retryMs = 2_000;

interface ConversationProps {
  readonly mailId: string;
  readonly runs: readonly RunRow[];
  readonly config: DeskConfig | undefined;
  onChange(): Promise<void>;
}

/** The conversation about one mail: each run is a question of a person and the agent's work on it. */
export function Conversation({ mailId, runs, config, onChange }: ConversationProps) {
  const [loaded, setLoaded] = useState(false);
  const [text, setText] = useState("");
  const [attempt, setAttempt] = useState(0);
  const [killed, setKilled] = useState(false);
  const transport = useMemo(
    () =>
      new DefaultChatTransport<DeskMessage>({
        api: "/api/chat",
        prepareSendMessagesRequest: ({ messages }) => ({ body: { mailId, text: textOf(messages.at(-1)) } }),
        prepareReconnectToStreamRequest: ({ requestMetadata }) => ({
          api: runStreamPath((requestMetadata as { runId: string }).runId),
        }),
      }),
    [mailId],
  );
  const chat = useChat({
    id: mailId,
    transport,
    onFinish: () => void onChange(),
    // A broken stream does not show the run's state; the journal does.
    onError: () => {
      setAttempt((count) => count + 1);
      void onChange();
    },
  });
  const { messages, setMessages, sendMessage, resumeStream, stop, status, error, clearError } = chat;
  const busy = status === "submitted" || status === "streaming";
  const last = runs.at(-1);

  /** Renders the conversation from the journal, and follows the last run if it has not ended. */
  const redraw = useCallback(
    async (rows: readonly RunRow[]) => {
      const going = rows.at(-1);
      const live = going !== undefined && isGoing(going);
      setMessages([
        ...(await readConversation(live ? rows.slice(0, -1) : rows)),
        ...(live ? [userMessage(going)] : []),
      ]);
      if (live) {
        await resumeStream({ metadata: { runId: going.runId } });
      }
    },
    [setMessages, resumeStream],
  );

  // Rendered when the mail is opened, and again whenever one of its runs is at another point than this page last saw.
  const signature = last === undefined ? "" : `${last.runId} ${last.status} ${last.updatedAt}`;
  const drawn = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (busy || drawn.current === `${signature} ${attempt}`) return;
    drawn.current = `${signature} ${attempt}`;
    const draw = async (): Promise<void> => {
      try {
        await redraw(runs);
        setLoaded(true);
        clearError();
      } catch {
        setTimeout(() => setAttempt(attempt + 1), retryMs);
      }
    };
    void draw();
  }, [signature, attempt, busy, redraw, runs, clearError]);

  const asking = useMemo(
    () => new Set(last?.interruptions.flatMap(({ kind, toolCallId }) => (kind === "question" ? [toolCallId] : []))),
    [last],
  );

  const questions = last?.interruptions.length ?? 0;
  useEffect(keepFocus, [busy, questions]);
  const section = useRef<HTMLElement>(null);
  useFollowGrowth(section, busy || questions > 0);

  const ask = (words: string): void => {
    clearError();
    void sendMessage({ text: words });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === "" || busy) return;
    ask(text.trim());
    setText("");
  };
  const halt = async (): Promise<void> => {
    if (last !== undefined) await api.cancel(last.runId).catch(() => undefined);
    await stop();
    await onChange();
  };

  return (
    <section ref={section} aria-label="Conversation" className="conversation" aria-busy={busy}>
      {messages.map((message) => (
        <MessageView key={message.id} message={message} asking={asking} />
      ))}
      {!busy && last !== undefined && <RunEnd run={last} />}
      {!busy && last !== undefined && (
        <p className="small">
          <a href={studioHref.run(last.runId)}>What happened in this run</a> ·{" "}
          <a href={studioHref.flow(last.runId)}>How its data flowed</a>
        </p>
      )}
      {!busy &&
        cardsOf(last?.interruptions ?? []).map((batch) => (
          <BatchCard key={batch[0]?.id ?? ""} batch={batch} onDecided={onChange} />
        ))}
      <p role="status" className="working">
        {busy
          ? "Working…"
          : killed && last !== undefined && isGoing(last)
            ? "The worker is dead. It starts again…"
            : ""}
      </p>
      {config?.restarts === true && busy && (
        <p className="small">
          <button
            type="button"
            className="danger"
            onClick={() => {
              setKilled(true);
              void api.kill().catch(() => undefined);
            }}
          >
            Kill the worker
          </button>{" "}
          The process ends at once. Another one starts, and continues the run within a few seconds.
        </p>
      )}
      {error !== undefined && (
        <p className="banner" role="alert">
          {error.message}
        </p>
      )}

      {loaded && messages.length === 0 && !busy && (
        <button type="button" className="primary" onClick={() => ask(`Handle mail ${mailId}.`)}>
          Handle this mail
        </button>
      )}
      {loaded && messages.length > 0 && (
        <form className="ask" onSubmit={submit}>
          <label className="visually-hidden" htmlFor="ask">
            Ask the agent
          </label>
          <input
            id="ask"
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder={config?.model.kind === "demo" ? `Handle ${mailId} again` : "Ask the agent about this mail"}
          />
          {busy ? (
            <button type="button" onClick={() => void halt()}>
              Stop
            </button>
          ) : (
            <button type="submit" disabled={text.trim() === ""}>
              Send
            </button>
          )}
        </form>
      )}
    </section>
  );
}

function RunEnd({ run }: { readonly run: RunRow }) {
  if (run.status === "completed" || run.interruptions.length > 0 || isGoing(run)) return null;
  return (
    <p className={`end ${run.status}`}>
      This run is {inWords(run.status)}
      {run.stopReason === null ? "" : `: ${inWords(run.stopReason)}`}.
    </p>
  );
}

function isGoing(run: RunRow): boolean {
  return run.status === "running";
}

function textOf(message: DeskMessage | undefined): string {
  return message?.parts.map((part) => (part.type === "text" ? part.text : "")).join("") ?? "";
}
