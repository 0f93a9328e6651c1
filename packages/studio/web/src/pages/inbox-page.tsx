import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { api } from "../api.ts";
import { count } from "../format.ts";
import { QuestionCard } from "../parts/question-card.tsx";
import { Empty, Failed, Loading } from "../parts/states.tsx";
import { moveFocus, useKeys } from "../use-keys.ts";
import { useTitle } from "../use-title.ts";

const severity = { suspicious: 0, unusual: 1, normal: 2 } as const;

/** Everything that any run asks a person; what needs the most care comes first. */
export function InboxPage() {
  useTitle("Inbox");
  const { questionId } = useParams({ strict: false });
  const inbox = useQuery({ queryKey: ["inbox"], queryFn: api.inbox, refetchInterval: 3_000 });
  const press = (action: string): void => {
    const focused = document.activeElement?.closest(".question") ?? document.querySelector(".question");
    focused?.querySelector<HTMLElement>(`[data-action=${action}]`)?.click();
  };
  useKeys({
    j: () => moveFocus(".question", 1),
    k: () => moveFocus(".question", -1),
    a: (event) => {
      event.preventDefault();
      press("approve");
    },
    r: (event) => {
      event.preventDefault();
      press("reject");
    },
  });
  const isThere = inbox.isSuccess;
  useEffect(() => {
    if (!isThere || questionId === undefined) return;
    const card = [...document.querySelectorAll<HTMLElement>(".question")].find(
      (element) => element.dataset["question"] === questionId,
    );
    card?.focus();
    card?.scrollIntoView({ block: "start" });
  }, [questionId, isThere]);
  if (inbox.isPending) return <Loading lines={8} />;
  if (inbox.isError) return <Failed page error={inbox.error} retry={() => void inbox.refetch()} />;
  const questions = inbox.data.questions.toSorted(
    (one, other) =>
      severity[one.interruption.question.level] - severity[other.interruption.question.level] ||
      one.interruption.requestedAt - other.interruption.requestedAt,
  );
  const isGone = questionId !== undefined && !questions.some(({ interruption }) => interruption.id === questionId);
  return (
    <div className="page narrow">
      <div className="page-head">
        <h1>Inbox</h1>
        {questions.length > 0 && <span className="soft">{count(questions.length)} waiting</span>}
      </div>
      {isGone && <p className="note">The question of this link was decided or has expired.</p>}
      {questions.length === 0 ? (
        <Empty icon="check" title="Nothing waits for a person">
          <p>When an agent asks for approval, an answer, or the outcome of a call, it appears here.</p>
        </Empty>
      ) : (
        <div className="stack">
          {questions.map((question) => (
            <QuestionCard
              key={question.interruption.id}
              question={question}
              current={question.interruption.id === questionId}
            />
          ))}
        </div>
      )}
    </div>
  );
}
