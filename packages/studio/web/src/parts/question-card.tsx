import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState, type ReactNode } from "react";
import type { Decision, Remembering } from "@bailiwick/core";
import {
  questionView,
  type QuestionView,
  type ViewCall,
  type ViewPreview,
  type ViewQuote,
} from "@bailiwick/core/questions";
import type { StudioQuestion } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { ago, fullTime } from "../format.ts";
import { Icon } from "../icons.tsx";
import { AnswerQuestion } from "./answer-question.tsx";
import type { Answer, AnswersProps } from "./answer.ts";
import { ApproveAnyway } from "./approve-anyway.tsx";
import { Assignment } from "./assignment.tsx";
import { ArgumentForm } from "./argument-form.tsx";
import { JsonView } from "./json-view.tsx";
import { QuestionTitle } from "./question-title.tsx";
import { shortTitle } from "./short-title.ts";

interface QuestionCardProps {
  readonly question: StudioQuestion;
  /** The card is on the page of its run. */
  readonly inRun?: boolean;
  readonly current?: boolean;
  /** Checkbox that selects the question. */
  readonly selection?: ReactNode;
}

/** A question of a run, with the facts needed to judge it, and the answers. */
export function QuestionCard({
  question: { run, interruption, drivable, assignee },
  inRun = false,
  current = false,
  selection,
}: QuestionCardProps) {
  const queries = useQueryClient();
  const decide = useMutation({
    mutationFn: (decision: Decision) => api.decide(run.runId, decision),
    onSuccess: () => queries.invalidateQueries(),
  });
  const { question } = interruption;
  const shown = questionView(interruption);
  const answer = (decision: Answer): void =>
    decide.mutate({
      id: interruption.id,
      ...(interruption.token !== undefined && { token: interruption.token }),
      ...decision,
    });
  if (shown === undefined) return null;
  const { level, levelName, title, sentences, more, request } = shown;
  const values = shown.calls.flatMap((call) => call.values);
  const [content] = shown.calls.flatMap((call) => (call.content === undefined ? [] : [call.content]));
  return (
    <article
      className={`question ${level}${current ? " current" : ""}`}
      aria-label={shortTitle(title)}
      tabIndex={-1}
      data-question={interruption.id}
    >
      <header className="question-head">
        {selection}
        {levelName !== "" && (
          <span className={`badge level-${level}`}>
            {level === "suspicious" && <Icon name="warning" size={12} />}
            {levelName}
          </span>
        )}
        <span className="soft small cut">
          {interruption.agentPath.join(" › ")} · <code>{interruption.toolName}</code> · asked{" "}
          <time dateTime={new Date(interruption.requestedAt).toISOString()} title={fullTime(interruption.requestedAt)}>
            {ago(interruption.requestedAt)}
          </time>
        </span>
        {!inRun && (
          <Link to="/runs/$runId" params={{ runId: run.runId }} search={{}} className="small">
            Open the run
          </Link>
        )}
      </header>
      <QuestionTitle title={title} />
      <Why level={level} texts={sentences} />
      <Request words={request} />
      <Values values={values} />
      {shown.calls.map(({ id, preview }) => preview !== undefined && <Preview key={id} preview={preview} />)}
      <More texts={more} />
      {content !== undefined && <JsonView value={content} label="Content" />}
      {drivable ? (
        <Answers interruption={interruption} pending={decide.isPending || decide.isSuccess} answer={answer} />
      ) : (
        <p className="soft small">
          The studio was opened without the code of <code>{run.agentId}</code>, so this is decided elsewhere.
        </p>
      )}
      {decide.isError && (
        <p className="field-error" role="alert">
          {decide.error.message}
        </p>
      )}
      {decide.isSuccess && (
        <p className="soft small" role="status">
          The decision is sent.
        </p>
      )}
      {!inRun && <Assignment question={{ run, interruption, drivable, assignee }} />}
      {question.developer.remedy !== "" && (
        <details className="developer">
          <summary>For developers</summary>
          {question.developer.why !== undefined && <p className="small">{question.developer.why}</p>}
          <p className="small">To skip this question: {question.developer.remedy}</p>
          <p className="soft small">
            {question.developer.rules.join(", ")} · call <code>{question.developer.toolCallId}</code>
          </p>
        </details>
      )}
    </article>
  );
}

const tones: Readonly<Record<QuestionView["level"], string>> = {
  normal: "facts-list",
  unusual: "note warn facts-list",
  suspicious: "note bad facts-list",
};

/** Shows what the call would do. */
function Preview({ preview: { text, diff } }: { readonly preview: ViewPreview }) {
  return (
    <>
      {text !== undefined && <pre dir="auto">{text}</pre>}
      {diff !== undefined && (
        <pre dir="auto" aria-label="Difference">
          {diff}
        </pre>
      )}
    </>
  );
}

/** The unusual facts that do not fit before the values. */
function More({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <details open>
      <summary>More facts</summary>
      <ul>
        {texts.map((text) => (
          <li key={text} dir="auto">
            {text}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The reason of a question, and unusual facts. */
export function Why({ level, texts }: { readonly level: QuestionView["level"]; readonly texts: readonly string[] }) {
  const shown = texts.filter((text) => text !== "");
  if (shown.length === 0) return null;
  return (
    <ul className={tones[level]} aria-label="Why a person is asked">
      {shown.map((text) => (
        <li key={text} dir="auto">
          {text}
        </li>
      ))}
    </ul>
  );
}

/** The user's words that asked for the call. */
export function Request({ words }: { readonly words: string | undefined }) {
  if (words === undefined) return null;
  return (
    <p className="request">
      Asked for with the words <q dir="auto">{words}</q>
    </p>
  );
}

/** Values of a call, each with its origin. */
function Values({ values }: Pick<ViewCall, "values">) {
  if (values.length === 0) return null;
  return (
    <dl className="values">
      {values.map((value) => (
        <div key={value.path} className={value.trusted ? "value" : "value untrusted"}>
          <dt>{value.name}</dt>
          <dd>
            <span className="value-shown" dir="auto">
              {value.shown}
            </span>
            <span className="origin">
              {value.decides && <span className="badge">decides the effect</span>}{" "}
              {value.trusted ? null : <Icon name="warning" size={12} />} {value.source}
            </span>
            {value.quote !== undefined && (
              <blockquote dir="auto">
                <Quoted parts={value.quoteParts} />
              </blockquote>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Quoted({ parts }: { readonly parts: ViewQuote | undefined }) {
  return (
    <>
      {parts?.before}
      {parts?.value !== "" && <mark>{parts?.value}</mark>}
      {parts?.after}
    </>
  );
}

function Answers({ interruption, pending, answer }: AnswersProps) {
  if (interruption.kind === "question" || interruption.kind === "client_tool")
    return <AnswerQuestion interruption={interruption} pending={pending} answer={answer} />;
  if (interruption.kind === "unknown_outcome") {
    return (
      <div className="actions">
        <button type="button" disabled={pending} onClick={() => answer({ type: "it_happened" })}>
          It happened
        </button>
        <button type="button" disabled={pending} onClick={() => answer({ type: "it_did_not_happen" })}>
          It did not happen
        </button>
        <button type="button" className="quiet" disabled={pending} onClick={() => answer({ type: "give_up" })}>
          Not known
        </button>
      </div>
    );
  }
  return <Approval interruption={interruption} pending={pending} answer={answer} />;
}

function Approval({ interruption, pending, answer }: AnswersProps) {
  const [mode, setMode] = useState<"decide" | "edit" | "reject">("decide");
  /** The form that the viewer closed: its button gets the focus. */
  const [left, setLeft] = useState<"edit" | "reject">();
  const leave = (form: "edit" | "reject"): void => {
    setLeft(form);
    setMode("decide");
  };
  const [reason, setReason] = useState("");
  const reasonId = useId();
  const { level } = interruption.question;
  const remember = questionView(interruption)?.remember ?? [];
  const [remembered, setRemembered] = useState<Remembering>();
  const lasting = remembered === undefined ? {} : { remember: remembered };
  if (mode === "edit") {
    return (
      <ArgumentForm
        agent={interruption.agentName}
        tool={interruption.toolName}
        args={interruption.args}
        pending={pending}
        onCancel={() => leave("edit")}
        onApprove={(args) => answer({ type: "approve", args, ...lasting })}
      />
    );
  }
  if (mode === "reject") {
    return (
      <form
        className="stack"
        onKeyDown={({ key }) => {
          if (key === "Escape") leave("reject");
        }}
        onSubmit={(event) => {
          event.preventDefault();
          answer({ type: "reject", ...(reason !== "" && { reason }), ...lasting });
        }}
      >
        <label htmlFor={reasonId}>Reason, which the model reads (optional)</label>
        {/* The viewer requested this field. */}
        <input id={reasonId} autoFocus value={reason} onChange={({ target }) => setReason(target.value)} />
        <div className="actions">
          <button type="submit" className="danger" disabled={pending}>
            Reject
          </button>
          <button type="button" onClick={() => leave("reject")}>
            Back
          </button>
        </div>
      </form>
    );
  }
  return (
    <div className="actions">
      {level === "suspicious" ? (
        <ApproveAnyway
          interruption={interruption}
          pending={pending}
          onApprove={() => answer({ type: "approve", acknowledged: "suspicious", ...lasting })}
        />
      ) : (
        <button
          type="button"
          className={level === "normal" ? "primary" : ""}
          data-action="approve"
          aria-keyshortcuts="a"
          disabled={pending}
          onClick={() => answer({ type: "approve", ...lasting })}
        >
          Approve
        </button>
      )}
      <button
        type="button"
        className={level === "suspicious" ? "primary" : ""}
        data-action="reject"
        autoFocus={left === "reject"}
        aria-keyshortcuts="r"
        disabled={pending}
        onClick={() => setMode("reject")}
      >
        Reject
      </button>
      <button
        type="button"
        className="quiet"
        autoFocus={left === "edit"}
        disabled={pending}
        onClick={() => setMode("edit")}
      >
        Edit and approve
      </button>
      {remember.length > 0 && (
        <label className="choice">
          <span className="choice-name">Applies</span>
          <select
            value={remembered ?? ""}
            onChange={({ target }) => setRemembered(remember.find(({ value }) => value === target.value)?.value)}
          >
            <option value="">to this call only</option>
            {remember.map(({ value, text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
