import type { Signal } from "../../contracts/journal-event.ts";
import type { UserMessage } from "../../contracts/message.ts";
import type { ActiveRun } from "../active-run.ts";

/** A steering or follow-up message as a signal that survives JSON and is taken once. */
export function messageSignal(name: "steer" | "follow_up" | "input", message: UserMessage, id: string): Signal {
  return { name, id, payload: message };
}

/**
 * Puts messages that reached the run into the conversation: steering and input whenever the model is asked, one
 * follow-up after each answer.
 *
 * @param afterAnswer - Whether an answer was given.
 * @returns whether there were any.
 */
export function insertPending(run: ActiveRun, afterAnswer: boolean): boolean {
  const { pendingSignals } = run.journal.state;
  const now = pendingSignals.filter(({ name }) => name === "steer" || name === "input");
  const next = afterAnswer && now.length === 0 ? pendingSignals.find(({ name }) => name === "follow_up") : undefined;
  const due = next === undefined ? now : [next];
  for (const signal of due) {
    const message = signal.payload as UserMessage;
    run.journal.record({ type: "message.inserted", by: signal.name as "steer" | "follow_up" | "input", message });
  }
  return due.length > 0;
}
