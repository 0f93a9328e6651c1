import type { RunRow } from "../desk-api.ts";
import { api } from "./api.ts";
import { cost, fullTime, inWords, shortId } from "./format.ts";
import { mailHref, runHref } from "./use-route.ts";

interface RunListProps {
  readonly runs: readonly RunRow[] | undefined;
  onChange(): Promise<void>;
}

const tones: Readonly<Record<string, string>> = {
  completed: "good",
  suspended: "waiting",
  sleeping: "waiting",
  running: "busy",
  ready: "busy",
  failed: "bad",
};

/** Every run, newest first. */
export function RunList({ runs, onChange }: RunListProps) {
  const cancel = async (run: RunRow): Promise<void> => {
    await api.cancel(run.runId).catch(() => undefined);
    await onChange();
  };
  return (
    <>
      <h2>Runs</h2>
      {runs === undefined && <p className="empty">Loading…</p>}
      {runs?.length === 0 && <p className="empty">Nothing has run yet. Open a mail and have it handled.</p>}
      {runs !== undefined && runs.length > 0 && (
        <div className="scroll">
          <table className="runs">
            <thead>
              <tr>
                <th scope="col">Started</th>
                <th scope="col">Mail</th>
                <th scope="col">Task</th>
                <th scope="col">Status</th>
                <th scope="col">Tokens</th>
                <th scope="col">Cost</th>
                <th scope="col">Run</th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <tr key={run.runId}>
                  <td data-label="Started">{fullTime(run.createdAt)}</td>
                  <td data-label="Mail">
                    {run.mailId === null ? "" : <a href={mailHref(run.mailId)}>{run.mailId}</a>}
                  </td>
                  <td data-label="Task" dir="auto">
                    {run.input}
                  </td>
                  <td data-label="Status">
                    <span>
                      <span className={`chip ${tones[run.status] ?? ""}`}>{inWords(run.status)}</span>
                      {run.stopReason !== null && run.stopReason !== run.status && (
                        <span className="small"> {inWords(run.stopReason)}</span>
                      )}
                    </span>
                  </td>
                  <td data-label="Tokens" className="number">
                    {run.tokens.toLocaleString("en")}
                  </td>
                  <td data-label="Cost" className="number">
                    {cost(run.costUsd)}
                  </td>
                  <td data-label="Run">
                    <a href={runHref(run.runId)} title={run.runId} aria-label={`What happened in run ${run.runId}`}>
                      <code className="small">{shortId(run.runId)}</code>
                    </a>
                  </td>
                  <td>
                    {["running", "ready", "suspended"].includes(run.status) && (
                      <button type="button" onClick={() => void cancel(run)} aria-label={`Cancel run ${run.runId}`}>
                        Cancel
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
