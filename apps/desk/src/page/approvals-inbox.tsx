import type { RunRow } from "../desk-api.ts";
import { InterruptionCard } from "./interruption-card.tsx";
import { shortTime } from "./format.ts";
import { mailHref } from "./use-route.ts";

interface ApprovalsInboxProps {
  readonly runs: readonly RunRow[] | undefined;
  onChange(): Promise<void>;
}

/** Everything that any run asks a person, oldest first. */
export function ApprovalsInbox({ runs, onChange }: ApprovalsInboxProps) {
  const waiting = (runs ?? []).filter((run) => run.interruptions.length > 0).toReversed();
  return (
    <>
      <h2>Approvals and questions</h2>
      {runs === undefined && <p className="empty">Loading…</p>}
      {runs !== undefined && waiting.length === 0 && <p className="empty">Nothing waits for you.</p>}
      {waiting.map((run) => (
        <div key={run.runId} className="waiting-run">
          <p className="meta">
            {run.mailId === null ? run.input : <a href={mailHref(run.mailId)}>Mail {run.mailId}</a>}
            <span>since {shortTime(run.updatedAt)}</span>
          </p>
          {run.interruptions.map((interruption) => (
            <InterruptionCard key={interruption.id} interruption={interruption} onDecided={onChange} />
          ))}
        </div>
      ))}
    </>
  );
}
