import type { InterruptionData } from "@bailiwick/core";
import { useId, useState, type FormEvent } from "react";
import { ArgumentFields } from "./argument-fields.tsx";
import { fullTime, inWords, toolTitle } from "./format.ts";
import type { InterruptionProps } from "./interruption-card.tsx";
import { useDecision } from "./use-decision.ts";

/** A call that waits for a person: what, why, where each value came from; approve, change or refuse. */
export function ApprovalCard({ interruption, onDecided }: InterruptionProps) {
  const [args, setArgs] = useState(interruption.args);
  const [remember, setRemember] = useState(false);
  const [rejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState("");
  const { busy, error, decide } = useDecision(interruption, onDecided);
  const heading = useId();
  const edited = JSON.stringify(args) !== JSON.stringify(interruption.args);

  const sticky = remember ? ({ remember: "tool" } as const) : {};
  const approve = (event: FormEvent): void => {
    event.preventDefault();
    void decide({ type: "approve", ...(edited ? { args } : {}), ...sticky });
  };

  return (
    <section className="approval" aria-labelledby={heading} data-tool={interruption.toolName}>
      <h3 id={heading}>Approve: {toolTitle(interruption.toolName)}?</h3>
      {interruption.agentPath.length > 1 && (
        <p className="why">
          The specialist <strong>{interruption.agentName}</strong> asks, for the agent that handles the mail.
        </p>
      )}
      <Why interruption={interruption} />
      <form onSubmit={approve}>
        <ArgumentFields args={args} origins={interruption.origins} disabled={busy} onChange={setArgs} />
        <label className="check">
          <input
            type="checkbox"
            checked={remember}
            disabled={busy}
            onChange={(event) => setRemember(event.target.checked)}
          />
          <span>
            Remember my decision for <code>{interruption.toolName}</code> in this conversation
          </span>
        </label>
        {rejecting && (
          <label className="field">
            <span>Reason for the agent</span>
            <input
              autoFocus
              value={reason}
              disabled={busy}
              onChange={(event) => setReason(event.target.value)}
              placeholder="optional"
            />
          </label>
        )}
        {error !== undefined && (
          <p className="banner" role="alert">
            {error}
          </p>
        )}
        <div className="buttons">
          {rejecting ? (
            <>
              <button
                type="button"
                className="danger"
                disabled={busy}
                onClick={() =>
                  void decide({
                    type: "reject",
                    ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
                    ...sticky,
                  })
                }
              >
                Reject
              </button>
              <button type="button" disabled={busy} onClick={() => setRejecting(false)}>
                Back
              </button>
            </>
          ) : (
            <>
              <button type="submit" className="primary" disabled={busy}>
                {edited ? "Approve with my changes" : "Approve"}
              </button>
              <button type="button" disabled={busy} onClick={() => setRejecting(true)}>
                Reject…
              </button>
            </>
          )}
          <span className="expires">open until {fullTime(interruption.expiresAt)}</span>
        </div>
      </form>
    </section>
  );
}

/** Why a person is asked: in a sentence, and in the rules' own words for who wants them. */
function Why({ interruption: { reason, rule } }: { readonly interruption: InterruptionData }) {
  if (rule === undefined) return <p className="why">{reason}</p>;
  return (
    <div className="why">
      <p>
        The agent had read text from outside before it made this call, and that text may have shaped it. Check that the
        values are what you want.
      </p>
      <details>
        <summary>
          In detail <span className="chip">rule {inWords(rule)}</span>
        </summary>
        <p>{reason}</p>
      </details>
    </div>
  );
}
