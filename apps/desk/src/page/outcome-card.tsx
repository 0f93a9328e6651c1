import { useId } from "react";
import { toolTitle } from "./format.ts";
import type { InterruptionProps } from "./interruption-card.tsx";
import { useDecision } from "./use-decision.ts";

/** A call with an unknown outcome: a person checks it and enters the result. */
export function OutcomeCard({ interruption, onDecided }: InterruptionProps) {
  const { busy, error, decide } = useDecision(interruption, onDecided);
  const heading = useId();
  return (
    <section className="approval" aria-labelledby={heading}>
      <h3 id={heading}>Did this happen? {toolTitle(interruption.toolName)}</h3>
      <p>The desk was stopped while this call ran. Its outcome is unknown: please check, then answer.</p>
      <pre dir="auto">{JSON.stringify(interruption.args, null, 2)}</pre>
      {error !== undefined && (
        <p className="banner" role="alert">
          {error}
        </p>
      )}
      <div className="buttons">
        <button type="button" disabled={busy} onClick={() => void decide({ type: "it_happened" })}>
          It happened
        </button>
        <button type="button" disabled={busy} onClick={() => void decide({ type: "it_did_not_happen" })}>
          It did not: run it
        </button>
        <button type="button" disabled={busy} onClick={() => void decide({ type: "give_up", reason: "nobody knows" })}>
          I can't tell
        </button>
      </div>
    </section>
  );
}
