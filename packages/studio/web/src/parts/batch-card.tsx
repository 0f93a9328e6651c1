import { useMutation, useQueryClient } from "@tanstack/react-query";
import { questionView, type ViewCall } from "@bailiwick/core/questions";
import { useState } from "react";
import type { StudioQuestion } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { Icon } from "../icons.tsx";
import { QuestionCard, Request, Why } from "./question-card.tsx";

/** Questions in their order, those of one batch together. */
export function cardsOf(questions: readonly StudioQuestion[]): readonly (readonly StudioQuestion[])[] {
  const cards = new Map<string, StudioQuestion[]>();
  for (const question of questions) {
    const { batch, id } = question.interruption;
    cards.set(batch ?? id, [...(cards.get(batch ?? id) ?? []), question]);
  }
  return [...cards.values()];
}

/** Calls of one turn that differ only in their values, none of them suspicious: one decision for the selected ones. */
export function BatchCard({
  questions,
  inRun = false,
  current = "",
}: {
  readonly questions: readonly StudioQuestion[];
  readonly inRun?: boolean;
  /** Id of the question that a link names. */
  readonly current?: string | undefined;
}) {
  const queries = useQueryClient();
  const [struck, setStruck] = useState<ReadonlySet<string>>(new Set());
  const [isOpen, setOpen] = useState(questions.some(({ interruption }) => interruption.id === current));
  const [first] = questions;
  const wanted = questions.filter(({ interruption }) => !struck.has(interruption.id));
  const decide = useMutation({
    mutationFn: (type: "approve" | "reject") =>
      api.decide(
        first?.run.runId ?? "",
        ...wanted.map(({ interruption: { id, token } }) => ({ id, type, ...(token !== undefined && { token }) })),
      ),
    onSuccess: () => queries.invalidateQueries(),
  });
  const shown = questionView(questions.map(({ interruption }) => interruption));
  if (first === undefined || shown === undefined) return null;
  const { level, levelName, reason, request } = shown;
  const { toolName, agentPath } = first.interruption;
  const sources = new Set(shown.calls.flatMap(({ values }) => values.map(({ source }) => source)));
  const [common] = sources.size === 1 ? sources : [];
  const isIdle = wanted.length > 0 && !decide.isPending && !decide.isSuccess;
  return (
    <article
      className={`question batch ${level}`}
      aria-label={`${questions.length} calls of ${toolName}`}
      tabIndex={-1}
    >
      <header className="question-head">
        <span className={`badge level-${level}`}>{levelName}</span>
        <span className="soft small cut">
          {agentPath.join(" › ")} · <code>{toolName}</code>
        </span>
      </header>
      <h2>{shown.title}</h2>
      <Why level={level} texts={[reason]} />
      <Request words={request} />
      {common !== undefined && <p className="request">Each value: {common}</p>}
      <ol className="batch-items">
        {questions.map(({ interruption }, index) => (
          <li key={interruption.id}>
            <label className="check">
              <input
                type="checkbox"
                checked={!struck.has(interruption.id)}
                onChange={({ target }) => {
                  const next = new Set(struck);
                  if (target.checked) next.delete(interruption.id);
                  else next.add(interruption.id);
                  setStruck(next);
                }}
              />
              <bdi>{shown.calls[index]?.title}</bdi>
            </label>
            {common === undefined && <Sources values={shown.calls[index]?.values ?? []} />}
            <Why level={level} texts={shown.calls[index]?.facts ?? []} />
          </li>
        ))}
      </ol>
      {first.drivable && (
        <div className="actions">
          <button
            type="button"
            className={level === "normal" ? "primary" : ""}
            data-action="approve"
            disabled={!isIdle}
            onClick={() => decide.mutate("approve")}
          >
            Approve {wanted.length}
          </button>
          <button type="button" data-action="reject" disabled={!isIdle} onClick={() => decide.mutate("reject")}>
            Reject {wanted.length}
          </button>
        </div>
      )}
      {decide.isError && (
        <p className="field-error" role="alert">
          {decide.error.message}
        </p>
      )}
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Decide or edit one by one</summary>
        {isOpen && (
          <div className="stack">
            {questions.map((one) => (
              <QuestionCard
                key={one.interruption.id}
                question={one}
                inRun={inRun}
                current={one.interruption.id === current}
              />
            ))}
          </div>
        )}
      </details>
    </article>
  );
}

/** The source of each value in one line. The form of a single call shows the values with their quotes. */
function Sources({ values }: Pick<ViewCall, "values">) {
  return (
    <ul className="batch-sources">
      {values.map(({ path, name, trusted, source }) => (
        <li key={path} className={trusted ? "" : "wait-text"}>
          {!trusted && <Icon name="warning" size={12} />} {name}: {source}
        </li>
      ))}
    </ul>
  );
}
