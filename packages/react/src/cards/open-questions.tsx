import type { JSX } from "react";
import type { OpenInterruptions } from "../use-interruptions.ts";
import { ApprovalCard } from "./approval-card.tsx";
import { CardStyles, type CardOptions } from "./card-frame.tsx";
import { QuestionCard } from "./question-card.tsx";

/** Properties of `OpenQuestions`. */
export interface OpenQuestionsProps extends CardOptions {
  /** The questions of the chat: `open` of `useAgentChat`, or the result of `useInterruptions`. */
  readonly open: OpenInterruptions;
}

/**
 * All questions that a chat waits for, as cards. After a decision that another person or tab made first, it says who.
 *
 * @param props - The questions, and a class or a nonce of your own.
 * @example
 * ```tsx
 * import { OpenQuestions, useAgentChat } from "@bailiwick/react";
 *
 * export function Chat({ id }: { id: string }) {
 *   const chat = useAgentChat({ id });
 *   return <OpenQuestions open={chat.open} />;
 * }
 * ```
 */
export function OpenQuestions({ open, ...options }: OpenQuestionsProps): JSX.Element {
  const others = open.interruptions.filter(({ kind }) => kind === "question" || kind === "unknown_outcome");
  // A card shows the error of the answer to its question: this one is about a question that is gone.
  const isGone = open.error !== undefined && open.interruptions.length === 0;
  return (
    <div className="bw-open">
      {open.batches.map((approval) => (
        <ApprovalCard key={approval.interruptions.map(({ id }) => id).join(" ")} approval={approval} {...options} />
      ))}
      {others.map((question) => (
        <QuestionCard key={question.id} question={question} {...options} />
      ))}
      {isGone && (
        <p className="bw-notice" role="status">
          <CardStyles nonce={options.nonce} />
          {open.error?.message}
        </p>
      )}
    </div>
  );
}
