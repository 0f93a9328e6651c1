import { useState, type FormEvent } from "react";
import type { TimelineRow } from "@bailiwick/server";
import { api } from "./api.ts";
import { runHref } from "./use-route.ts";

interface TimelineEntryProps {
  readonly runId: string;
  readonly row: TimelineRow;
  /** When the run began, in milliseconds since the epoch. */
  readonly begun: number;
}

/** One record: when, what, how far it is trusted, and what it took. */
export function TimelineEntry({ runId, row, begun }: TimelineEntryProps) {
  const { seq, at, title, detail, tone, label, tokens, costUsd, durationMs } = row;
  const numbers = [
    durationMs === undefined ? "" : `${(durationMs / 1000).toFixed(2)} s`,
    tokens === undefined ? "" : `${tokens.toLocaleString("en")} tokens`,
    costUsd === undefined || costUsd === 0 ? "" : `$${costUsd.toFixed(4)}`,
  ].filter((text) => text !== "");
  return (
    <li className={`record ${tone}`} data-type={row.type}>
      <p className="what">
        <span className="seq">{seq}</span>
        <span dir="auto">{title}</span>
        {label !== undefined && <TrustChip integrity={label.integrity} from={label.from} />}
      </p>
      <p className="meta">
        <span>+{((at - begun) / 1000).toFixed(2)} s</span>
        {numbers.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
      {detail !== undefined && (
        <pre className="detail-text" dir="auto">
          {detail}
        </pre>
      )}
      <Fork runId={runId} atSeq={seq} />
    </li>
  );
}

function TrustChip({ integrity, from }: { readonly integrity: string; readonly from: readonly string[] }) {
  return (
    <span className={`chip ${integrity === "untrusted" ? "bad" : "good"}`} title={`From ${from.join(", ")}`}>
      {integrity}
      <span className="visually-hidden">, from {from.join(", ")}</span>
    </span>
  );
}

/** Makes another run of the beginning of this one. */
function Fork({ runId, atSeq }: { readonly runId: string; readonly atSeq: number }) {
  const [message, setMessage] = useState("");
  const [failure, setFailure] = useState<string>();
  const fork = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    try {
      const { runId: made } = await api.fork(runId, atSeq, message.trim());
      location.hash = runHref(made);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  const field = `fork-${atSeq}`;
  return (
    <details className="fork">
      <summary>Fork from here</summary>
      <form onSubmit={(event) => void fork(event)}>
        <label htmlFor={field}>What the new run is told, if anything</label>
        <input id={field} value={message} onChange={(event) => setMessage(event.target.value)} />
        <button type="submit">Fork</button>
        <p className="small">The new run goes on from record {atSeq} by itself: what comes after it is done again.</p>
        {failure !== undefined && <p role="alert">{failure}</p>}
      </form>
    </details>
  );
}
