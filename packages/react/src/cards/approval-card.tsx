import { questionView, type QuestionView } from "@bailiwick/core/questions";
import { useId, useState, type JSX } from "react";
import { isCheckedIn, textIn } from "./field-value.ts";
import type { OpenBatch } from "../use-interruptions.ts";
import { CardFrame, type CardOptions } from "./card-frame.tsx";
import { useAnswer } from "./use-answer.ts";
import { ObjectFields, propertiesOf, type FieldSchema } from "./value-fields.tsx";

/** Properties of `ApprovalCard`. */
export interface ApprovalCardProps extends CardOptions {
  /** The approval, one of `open.batches`: a single call, or the calls of a turn that differ only in their values. */
  readonly approval: OpenBatch;
}

type Mode = "decide" | "confirm" | "edit" | "reject";

/**
 * A call that waits for a person: its level, its effect, the reason, and each value with its source. The person approves,
 * edits or rejects it. A suspicious call takes a second act: a checkbox that the values were checked.
 *
 * Variables of CSS change its look: `--bailiwick-text`, `-soft`, `-surface`, `-inset`, `-border`, `-accent`,
 * `-on-accent`, `-unusual`, `-suspicious` and `-radius`. The page's `color-scheme` chooses light or dark.
 *
 * @param props - The approval, and a class or a nonce of your own.
 * @example
 * ```tsx
 * import { ApprovalCard, useAgentChat } from "@bailiwick/react";
 *
 * export function Approvals({ id }: { id: string }) {
 *   const { open } = useAgentChat({ id });
 *   return open.batches.map((one) => <ApprovalCard key={one.interruptions[0]?.id} approval={one} />);
 * }
 * ```
 */
export function ApprovalCard({ approval, ...options }: ApprovalCardProps): JSX.Element | null {
  const { interruptions } = approval;
  const view = questionView(interruptions);
  const [first] = interruptions;
  if (view === undefined || first === undefined) return null;
  return (
    <CardFrame view={view} {...options}>
      <ApprovalAnswers approval={approval} view={view} />
    </CardFrame>
  );
}

function ApprovalAnswers({
  approval,
  view,
}: {
  readonly approval: OpenBatch;
  readonly view: QuestionView;
}): JSX.Element {
  const [mode, setMode] = useState<Mode>("decide");
  const [remembered, setRemembered] = useState("");
  const { isBusy, error, send } = useAnswer();
  const { remember: offered, needsAcknowledgement } = view;
  const [one, ...others] = approval.interruptions;
  const chosen = offered.find(({ value }) => value === remembered)?.value;
  const remember = chosen === undefined ? {} : { remember: chosen };
  const failure = error !== undefined && (
    <p className="bw-error" role="alert">
      {error}
    </p>
  );
  const back = (): void => {
    one?.acknowledge(false);
    setMode("decide");
  };
  if (mode === "edit" && one !== undefined)
    return (
      <EditForm
        args={one.args}
        schemas={propertiesOf(one.argsJsonSchema)}
        view={view}
        isChecked={one.isAcknowledged}
        isBusy={isBusy}
        onCheck={one.acknowledge}
        onBack={back}
        onApprove={(args) => send(async () => one.approve({ args, ...remember }))}
        failure={failure}
      />
    );
  if (mode === "confirm" && one !== undefined)
    return (
      <div role="group" aria-label="Approve a suspicious call">
        <Checked view={view} isChecked={one.isAcknowledged} isBusy={isBusy} onCheck={one.acknowledge} />
        <div className="bw-actions">
          <button type="button" className="bw-button bw-primary" disabled={isBusy} onClick={back}>
            Do not approve
          </button>
          <button
            type="button"
            className="bw-button bw-danger"
            disabled={isBusy || !one.isAcknowledged}
            onClick={() => send(async () => approval.approve(remember))}
          >
            Approve anyway
          </button>
        </div>
        {failure}
      </div>
    );
  if (mode === "reject")
    return (
      <RejectForm
        isBusy={isBusy}
        onBack={back}
        onReject={(reason) => send(async () => approval.reject(reason === "" ? undefined : reason, remember))}
        failure={failure}
      />
    );
  const approve = (
    <button
      key="approve"
      type="button"
      className={`bw-button ${needsAcknowledgement ? "" : "bw-primary"}`}
      disabled={isBusy}
      onClick={() => (needsAcknowledgement ? setMode("confirm") : send(async () => approval.approve(remember)))}
    >
      {needsAcknowledgement ? "Approve…" : others.length === 0 ? "Approve" : `Approve ${others.length + 1} calls`}
    </button>
  );
  const reject = (
    <button
      key="reject"
      type="button"
      className={`bw-button ${needsAcknowledgement ? "bw-primary" : ""}`}
      disabled={isBusy}
      onClick={() => setMode("reject")}
    >
      Reject…
    </button>
  );
  return (
    <>
      <div className="bw-actions">
        {needsAcknowledgement ? [reject, approve] : [approve, reject]}
        {others.length === 0 && isObject(one?.args) && (
          <button type="button" className="bw-button bw-quiet" disabled={isBusy} onClick={() => setMode("edit")}>
            Edit
          </button>
        )}
      </div>
      {offered.length > 0 && (
        <label className="bw-field">
          <span>This answer applies</span>
          <select value={remembered} disabled={isBusy} onChange={({ target }) => setRemembered(textIn(target))}>
            <option value="">to this call only</option>
            {offered.map(({ value, text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      )}
      {failure}
    </>
  );
}

/** The second act: the values that a person has to check, and the checkbox. */
function Checked({
  view,
  isChecked,
  isBusy,
  onCheck,
}: {
  readonly view: QuestionView;
  readonly isChecked: boolean;
  readonly isBusy: boolean;
  readonly onCheck: (isChecked: boolean) => void;
}): JSX.Element {
  const doubtful = view.calls.flatMap(({ values }) => values.filter((value) => value.doubtful && value.decides));
  return (
    <>
      <p>An outsider may have written these values. Check them with a person who knows them, outside of this chat:</p>
      <ul>
        {doubtful.map(({ path, name, shown, source }) => (
          <li key={path}>
            {name}: <strong dir="auto">{shown}</strong> ({source})
          </li>
        ))}
      </ul>
      <label className="bw-check">
        <input
          type="checkbox"
          autoFocus
          checked={isChecked}
          disabled={isBusy}
          onChange={({ target }) => onCheck(isCheckedIn(target))}
        />
        <span>I checked these values</span>
      </label>
    </>
  );
}

function RejectForm({
  isBusy,
  onBack,
  onReject,
  failure,
}: {
  readonly isBusy: boolean;
  readonly onBack: () => void;
  readonly onReject: (reason: string) => void;
  readonly failure: JSX.Element | false;
}): JSX.Element {
  const [reason, setReason] = useState("");
  const id = useId();
  return (
    <form
      className="bw-form"
      onKeyDown={({ key }) => key === "Escape" && onBack()}
      onSubmit={(event) => {
        event.preventDefault();
        onReject(reason.trim());
      }}
    >
      <div className="bw-field">
        <label htmlFor={id}>Reason, which the agent reads (optional)</label>
        <input id={id} dir="auto" autoFocus value={reason} onChange={({ target }) => setReason(textIn(target))} />
      </div>
      <div className="bw-actions">
        <button type="submit" className="bw-button bw-danger" disabled={isBusy}>
          Reject
        </button>
        <button type="button" className="bw-button" disabled={isBusy} onClick={onBack}>
          Back
        </button>
      </div>
      {failure}
    </form>
  );
}

function EditForm({
  args,
  schemas,
  view,
  isChecked,
  isBusy,
  onCheck,
  onBack,
  onApprove,
  failure,
}: {
  readonly args: unknown;
  readonly schemas: Readonly<Record<string, FieldSchema>> | undefined;
  readonly view: QuestionView;
  readonly isChecked: boolean;
  readonly isBusy: boolean;
  readonly onCheck: (isChecked: boolean) => void;
  readonly onBack: () => void;
  readonly onApprove: (args: unknown) => void;
  readonly failure: JSX.Element | false;
}): JSX.Element {
  const [edited, setEdited] = useState(isObject(args) ? args : {});
  const [problem, setProblem] = useState<string>();
  return (
    <form
      className="bw-form"
      onKeyDown={({ key }) => key === "Escape" && onBack()}
      onSubmit={(event) => {
        event.preventDefault();
        onApprove(edited);
      }}
    >
      <ObjectFields
        value={edited}
        schemas={schemas}
        isDisabled={isBusy}
        onChange={(value, wrong) => {
          setEdited(value);
          setProblem(wrong);
        }}
      />
      {view.needsAcknowledgement && <Checked {...{ view, isChecked, isBusy, onCheck }} />}
      {problem !== undefined && (
        <p className="bw-error" role="alert">
          {problem}
        </p>
      )}
      <div className="bw-actions">
        <button
          type="submit"
          className={`bw-button ${view.needsAcknowledgement ? "bw-danger" : "bw-primary"}`}
          disabled={isBusy || problem !== undefined || (view.needsAcknowledgement && !isChecked)}
        >
          Approve with these values
        </button>
        <button type="button" className="bw-button" disabled={isBusy} onClick={onBack}>
          Back
        </button>
      </div>
      {failure}
    </form>
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
