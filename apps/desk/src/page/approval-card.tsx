import { questionView, type QuestionView } from "@bailiwick/core/questions";
import { useId, useState, type FormEvent } from "react";
import { ArgumentFields } from "./argument-fields.tsx";
import { fullTime, toolTitle } from "./format.ts";
import type { InterruptionProps } from "./interruption-card.tsx";
import { useDecision } from "./use-decision.ts";

/**
 * A call that waits for a person: its effect, the reason, and the origin of each value; approve, change or reject it.
 */
export function ApprovalCard({ interruption, onDecided }: InterruptionProps) {
  const { question } = interruption;
  const shown = questionView(interruption);
  const [args, setArgs] = useState(interruption.args);
  const [remember, setRemember] = useState(false);
  const [rejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState("");
  const [confirming, setConfirming] = useState(false);
  const [checked, setChecked] = useState(false);
  const { busy, error, decide } = useDecision(interruption, onDecided);
  const heading = useId();
  const isSuspicious = question.level === "suspicious";
  const edited = JSON.stringify(args) !== JSON.stringify(interruption.args);

  const [offered] = question.remember.filter((one) => one !== "call");
  const sticky = remember && offered !== undefined ? { remember: offered } : {};
  const approve = (event: FormEvent): void => {
    event.preventDefault();
    // A suspicious call takes a second, explicit step.
    if (isSuspicious && !(confirming && checked)) {
      setConfirming(true);
      return;
    }
    void decide({
      type: "approve",
      ...(edited ? { args } : {}),
      ...sticky,
      ...(isSuspicious ? { acknowledged: "suspicious" } : {}),
    });
  };

  return (
    <section className={`approval ${question.level}`} aria-labelledby={heading} data-tool={interruption.toolName}>
      <p className="approval-kind">
        {shown !== undefined && shown.levelName !== "" && (
          <span className={`chip level-${question.level}`}>{shown.levelName}</span>
        )}
        <span id={heading}>Approve: {toolTitle(interruption.toolName)}?</span>
      </p>
      <h3 dir="auto">{question.title}</h3>
      {interruption.agentPath.length > 1 && (
        <p className="why">
          The specialist <strong>{interruption.agentName}</strong> asks, for the agent that handles the mail.
        </p>
      )}
      {isSuspicious && (
        <p className="stopped">
          <strong>Stopped before it ran.</strong> Approve only if you checked the values marked with ⚠.
        </p>
      )}
      {shown !== undefined && <Why shown={shown} remedy={question.developer.remedy} />}
      <form onSubmit={approve}>
        <ArgumentFields
          args={args}
          values={shown?.calls.flatMap(({ values }) => values) ?? []}
          disabled={busy}
          onChange={setArgs}
        />
        {offered !== undefined && (
          <label className="check">
            <input
              type="checkbox"
              checked={remember}
              disabled={busy}
              onChange={(event) => setRemember(event.target.checked)}
            />
            <span>
              {offered === "values" ? "Remember my decision for these values" : "Remember my decision for "}
              {offered === "tool" && <code>{interruption.toolName}</code>}
              {offered === "tool" && " in this conversation"}
            </span>
          </label>
        )}
        {confirming && (
          <label className="check confirm">
            <input
              type="checkbox"
              autoFocus
              checked={checked}
              disabled={busy}
              onChange={(event) => setChecked(event.target.checked)}
            />
            <span>I checked the values marked with ⚠ with a person who knows them</span>
          </label>
        )}
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
              {confirming ? (
                <>
                  <button type="submit" className="danger" disabled={busy || !checked}>
                    Approve anyway
                  </button>
                  <button
                    type="button"
                    disabled={busy}
                    onClick={() => {
                      setConfirming(false);
                      setChecked(false);
                    }}
                  >
                    Back
                  </button>
                </>
              ) : (
                <button type="submit" className={isSuspicious ? "" : "primary"} disabled={busy}>
                  {edited ? "Approve with my changes" : "Approve"}
                  {isSuspicious && "…"}
                </button>
              )}
              <button
                type="button"
                className={isSuspicious ? "primary" : ""}
                disabled={busy}
                onClick={() => setRejecting(true)}
              >
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

/** The request, and the facts that make the call unusual; the remedy is for developers. */
function Why({ shown: { reason, request, calls }, remedy }: { readonly shown: QuestionView; readonly remedy: string }) {
  return (
    <div className="why">
      <p dir="auto">{reason}</p>
      {request !== undefined && (
        <p>
          You asked: <q dir="auto">{request}</q>
        </p>
      )}
      {calls
        .flatMap(({ facts }) => facts)
        .map((fact) => (
          <p key={fact} className="fact" dir="auto">
            ⚠ {fact}
          </p>
        ))}
      {calls
        .flatMap(({ preview }) => [preview?.text, preview?.diff])
        .map((block) => block !== undefined && <pre key={block}>{block}</pre>)}
      <details className="small">
        <summary>For developers</summary>
        <p>To skip this question: {remedy}</p>
      </details>
    </div>
  );
}
