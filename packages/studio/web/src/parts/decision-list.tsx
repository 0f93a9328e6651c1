import type { StudioDecision } from "../../../src/views/view-types.ts";
import { fullTime, inWords } from "../format.ts";

const words: Readonly<Record<StudioDecision["type"], string>> = {
  approve: "Approved",
  reject: "Rejected",
  answer: "Answered",
  fail: "Reported as failed",
  it_happened: "Settled: it happened",
  it_did_not_happen: "Settled: it did not happen",
  give_up: "Given up",
};

/** Decisions with the person who made each, and the changed arguments. */
export function DecisionList({ decisions }: { readonly decisions: readonly StudioDecision[] }) {
  if (decisions.length === 0) return null;
  return (
    <ul className="decisions" aria-label="Decisions">
      {decisions.map((decision) => (
        <li key={decision.seq}>
          <span className={`badge ${decision.type === "reject" || decision.type === "give_up" ? "bad" : "good"}`}>
            {words[decision.type]}
          </span>{" "}
          <code>{decision.toolName}</code> by {decision.decidedBy ?? "a person without a name"}
          {decision.channel !== undefined && ` in ${decision.channel}`}{" "}
          {["expired", "remembered", "timeout"].includes(decision.via) && <>({inWords(decision.via)}) </>}
          <time className="faint" dateTime={new Date(decision.at).toISOString()}>
            {fullTime(decision.at)}
          </time>
          {decision.reason !== undefined && <q>{decision.reason}</q>}
          {decision.changes.map(({ path, from, to }) => (
            <div key={path} className="change">
              <code>{path}</code> <del>{shown(from)}</del> <ins>{shown(to)}</ins>
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
