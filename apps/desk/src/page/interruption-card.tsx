import type { InterruptionData } from "@bailiwick/core";
import { ApprovalCard } from "./approval-card.tsx";
import { OutcomeCard } from "./outcome-card.tsx";
import { QuestionCard } from "./question-card.tsx";

/** The content of a card. */
export interface InterruptionProps {
  readonly interruption: InterruptionData;
  onDecided(): Promise<void>;
}

/** A request to a person: to approve a call, to answer a question, or to report if something happened. */
export function InterruptionCard(props: InterruptionProps) {
  switch (props.interruption.kind) {
    case "question":
      return <QuestionCard {...props} />;
    case "unknown_outcome":
      return <OutcomeCard {...props} />;
    default:
      return <ApprovalCard {...props} />;
  }
}
