import { useInfiniteQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api } from "../api.ts";
import { failureOf, pollEvery } from "../failure-of.ts";
import { count } from "../format.ts";
import { BatchCard, cardsOf } from "../parts/batch-card.tsx";
import { BulkDecisions, isBulk } from "../parts/bulk-decisions.tsx";
import { QuestionCard } from "../parts/question-card.tsx";
import { Empty, Failed, Loading } from "../parts/states.tsx";
import { useQuestionKeys } from "../question-keys.ts";
import { moveFocus, useKeys } from "../use-keys.ts";
import { useTitle } from "../use-title.ts";

const severity = { suspicious: 0, unusual: 1, normal: 2 } as const;

/** The open questions of all runs; those that need the most care come first. */
export function InboxPage() {
  useTitle("Inbox");
  const { questionId } = useParams({ strict: false });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState("");
  const inbox = useInfiniteQuery({
    queryKey: ["inbox"],
    queryFn: ({ pageParam }) => api.inbox(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 3 ? false : pollEvery(3_000)(query)),
  });
  useQuestionKeys();
  useKeys({
    j: () => moveFocus(".question", 1),
    k: () => moveFocus(".question", -1),
    x: () => document.activeElement?.closest(".question")?.querySelector<HTMLInputElement>(".question-select")?.click(),
    A: () => document.querySelector<HTMLElement>("[data-bulk=approve]")?.focus(),
    R: () => document.querySelector<HTMLElement>("[data-bulk=reject]")?.focus(),
  });
  const isThere = inbox.data !== undefined;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = inbox;
  const asked = inbox.data?.pages.flatMap((page) => page.questions) ?? [];
  const isMissing = questionId !== undefined && !asked.some(({ interruption }) => interruption.id === questionId);
  useEffect(() => {
    if (!isThere || questionId === undefined) return;
    const card = [...document.querySelectorAll<HTMLElement>(".question")].find(
      (element) => element.dataset["question"] === questionId,
    );
    card?.focus();
    card?.scrollIntoView({ block: "start" });
  }, [questionId, isThere, isMissing]);
  useEffect(() => {
    // The question of a link can be on a later page.
    if (isMissing && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isMissing, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const failure = failureOf(inbox);
  if (failure !== undefined) return <Failed page error={failure} retry={() => void inbox.refetch()} />;
  if (inbox.data === undefined) return <Loading lines={8} />;
  const assignees = [...new Set(asked.flatMap(({ assignee }) => assignee ?? []))].toSorted();
  const questions = asked
    .filter(({ assignee }) => shown === "" || (shown === "none" ? assignee === undefined : `to ${assignee}` === shown))
    .toSorted(
      (one, other) =>
        severity[one.interruption.question.level] - severity[other.interruption.question.level] ||
        one.interruption.requestedAt - other.interruption.requestedAt,
    );
  const isGone = isMissing && !hasNextPage;
  const cards = cardsOf(questions);
  const together = cards.flatMap((card) => (card.length === 1 ? card.filter(isBulk) : []));
  return (
    <div className="page narrow">
      <div className="page-head">
        <h1>Inbox</h1>
        {questions.length > 0 && (
          <span className="soft">
            {count(questions.length)}
            {hasNextPage && "+"} waiting
          </span>
        )}
        {assignees.length > 0 && (
          <label className="choice">
            <span className="choice-name">Assigned to</span>
            <select value={shown} onChange={({ target }) => setShown(target.value)}>
              <option value="">anyone</option>
              <option value="none">no one</option>
              {assignees.map((name) => (
                <option key={name} value={`to ${name}`}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {isGone && <p className="note">The question of this link was decided or has expired.</p>}
      {together.length > 1 && <BulkDecisions questions={together} chosen={chosen} onChoose={setChosen} />}
      {questions.length === 0 ? (
        <Empty icon="check" title="Nothing waits for a person">
          <p>When an agent asks for approval, an answer, or the outcome of a call, it appears here.</p>
        </Empty>
      ) : (
        <div className="stack">
          {cards.map((batch) => {
            const [question] = batch;
            if (question === undefined) return null;
            const { id, question: words } = question.interruption;
            if (batch.length > 1) return <BatchCard key={id} questions={batch} current={questionId} />;
            const isSelectable = together.length > 1 && isBulk(question);
            return (
              <QuestionCard
                key={id}
                question={question}
                current={id === questionId}
                selection={
                  isSelectable && (
                    <input
                      type="checkbox"
                      className="question-select"
                      aria-keyshortcuts="x"
                      aria-label={`Select ${words.title}`}
                      checked={chosen.has(id)}
                      onChange={({ target }) => {
                        const next = new Set(chosen);
                        if (target.checked) next.add(id);
                        else next.delete(id);
                        setChosen(next);
                      }}
                    />
                  )
                }
              />
            );
          })}
        </div>
      )}
      {hasNextPage && (
        <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older questions
        </button>
      )}
    </div>
  );
}
