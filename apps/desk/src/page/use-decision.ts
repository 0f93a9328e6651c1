import type { Decision, InterruptionData } from "@bailiwick/core";
import { useState } from "react";
import { api } from "./api.ts";

/** A person's decision, without the id of the question. */
type Choice = (Decision extends infer One
  ? One extends Decision
    ? Omit<One, "id" | "token" | "channel">
    : never
  : never) & {
  /** Set by the second act that a suspicious question needs. */
  readonly acknowledged?: "suspicious";
};

/** Sends a person's decision, one at a time, and returns the server's error if there is one. */
export interface DecisionSender {
  readonly busy: boolean;
  readonly error: string | undefined;
  decide(choice: Choice): Promise<void>;
}

/**
 * Makes the sender of one question.
 *
 * @param interruption - The question.
 * @param onDecided - Called when the server has taken the decision.
 */
export function useDecision(interruption: InterruptionData, onDecided: () => Promise<void>): DecisionSender {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | undefined>(undefined);
  const decide = async (choice: Choice): Promise<void> => {
    setBusy(true);
    setError(undefined);
    const token = interruption.token === undefined ? {} : { token: interruption.token };
    try {
      await api.decide(interruption.runId, [{ ...choice, id: interruption.id, channel: "http", ...token }]);
      await onDecided();
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause));
      setBusy(false);
    }
  };
  return { busy, error, decide };
}
