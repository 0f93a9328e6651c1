import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { StudioQuestion } from "../../../src/views/view-types.ts";
import { api } from "../api.ts";
import { levels, QuestionCard, Values, Why } from "./question-card.tsx";

/** Questions in their order, those of one batch together. */
export function cardsOf(questions: readonly StudioQuestion[]): readonly (readonly StudioQuestion[])[] {
  const cards = new Map<string, StudioQuestion[]>();
  for (const question of questions) {
    const { batch, id } = question.interruption;
    cards.set(batch ?? id, [...(cards.get(batch ?? id) ?? []), question]);
  }
  return [...cards.values()];
}

/** Calls of one turn that differ only in their values, none of them suspicious: one decision for those that are ticked. */
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
  if (first === undefined) return null;
  const { question, toolName, agentPath } = first.interruption;
  const isIdle = wanted.length > 0 && !decide.isPending && !decide.isSuccess;
  return (
    <article
      className={`question batch ${question.level}`}
      aria-label={`${questions.length} calls of ${toolName}`}
      tabIndex={-1}
    >
      <header className="question-head">
        <span className={`badge level-${question.level}`}>{levels[question.level]}</span>
        <span className="soft small cut">
          {agentPath.join(" › ")} · <code>{toolName}</code>
        </span>
      </header>
      <h2>
        {questions.length} calls of <code>{toolName}</code> that differ only in their values
      </h2>
      <Why question={{ ...question, unusual: [] }} />
      {question.request !== undefined && (
        <p className="request">
          Asked for with the words <q dir="auto">{question.request}</q>
        </p>
      )}
      <ol className="batch-items">
        {questions.map(({ interruption }) => (
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
              <bdi>{interruption.question.title}</bdi>
            </label>
            {interruption.question.values.length > 0 && <Values question={interruption.question} />}
            <Why question={{ ...interruption.question, reason: "" }} />
          </li>
        ))}
      </ol>
      {first.drivable && (
        <div className="actions">
          <button type="button" data-action="approve" disabled={!isIdle} onClick={() => decide.mutate("approve")}>
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
