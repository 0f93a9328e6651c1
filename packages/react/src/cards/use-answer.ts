import { useState } from "react";

/** Sends one answer at a time, and keeps its error. */
export interface AnswerState {
  readonly isBusy: boolean;
  readonly error: string | undefined;
  send(answer: () => Promise<void>): void;
}

/** Makes the state of a card's answer. */
export function useAnswer(): AnswerState {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const send = (answer: () => Promise<void>): void => {
    setBusy(true);
    setError(undefined);
    answer().then(
      () => setBusy(false),
      (failure: unknown) => {
        setBusy(false);
        setError(failure instanceof Error ? failure.message : String(failure));
      },
    );
  };
  return { isBusy, error, send };
}
