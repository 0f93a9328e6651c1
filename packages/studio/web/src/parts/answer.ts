import type { Decision, InterruptionData } from "@bailiwick/core";

/** A decision without the id of its question. */
export type Answer = (Decision extends infer One
  ? One extends Decision
    ? Omit<One, "id" | "token">
    : never
  : never) & {
  /** Set by the second act that a suspicious question needs. */
  readonly acknowledged?: "suspicious" | undefined;
};

/** A question, and the functions that answer it. */
export interface AnswersProps {
  readonly interruption: InterruptionData;
  readonly pending: boolean;
  readonly answer: (answer: Answer) => void;
}
