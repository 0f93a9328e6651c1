import type { Signal } from "../../contracts/signal.ts";
import type { Sealer } from "../../contracts/ports/security.ts";
import { openValue, sealValue } from "../../journal/sealed-record.ts";
import type { Agent, Run } from "../run.ts";
import type { UserMessage } from "../../contracts/message.ts";
import type { Release } from "../../contracts/ports/run-store.ts";
import type { RunState } from "../../journal/run-state.ts";
import { isMessage, messageSignals } from "../../journal/session-join.ts";
import { RunError } from "../../errors/run-errors.ts";

/**
 * Puts a signal in a run's inbox: sealed if there is a key, else without known secrets. Its name and id stay readable.
 *
 * @throws RunNotFoundError if the store does not have the run.
 */
export async function sendSignal(
  { store, sealer, secrets }: Pick<Agent, "store" | "sealer" | "secrets">,
  runId: string,
  signal: Signal,
): Promise<void> {
  await secrets?.ready();
  const { payload: given } = signal;
  const payload =
    sealer === undefined
      ? (secrets?.scrub(given) ?? given)
      : await sealValue(given, sealer, ["signal", runId, signal.id]);
  await store.signal(runId, { ...signal, payload });
}

/** Opens signals from an inbox. A sealed signal without a key is a failure, which does not block the others. */
export async function openSignals(
  runId: string,
  given: readonly Signal[],
  sealer: Sealer | undefined,
): Promise<{ readonly signals: readonly Signal[]; readonly failures: readonly unknown[] }> {
  const signals: Signal[] = [];
  const failures: unknown[] = [];
  for (const signal of given) {
    try {
      const payload = await openValue(signal.payload, sealer, ["signal", runId, signal.id], `Signal "${signal.id}"`);
      signals.push(payload === signal.payload ? signal : { ...signal, payload });
    } catch (error) {
      failures.push(error);
    }
  }
  return { signals, failures };
}

/** A steering or follow-up message as a signal that survives JSON and is delivered once. */
export function messageSignal(name: "steer" | "follow_up" | "input", message: UserMessage, id: string): Signal {
  return { name, id, payload: message };
}

/**
 * State of a run after its completion: completed, unless a message arrived after the inbox was last read. The process
 * that drives it next answers the message.
 */
export function releaseCompleted({ pendingSignals }: Pick<RunState, "pendingSignals">): Release {
  if (pendingSignals.some(isMessage)) return { state: "queued" };
  return { state: "completed", unlessSignals: messageSignals };
}

/**
 * Adds pending messages to the conversation: steering and input before each model call, one
 * follow-up after each answer.
 *
 * @returns true if a message was added.
 */
export function insertPending(run: Run, afterAnswer: boolean): boolean {
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

/** The error for a message to a run that no longer reads messages, so that the message would be lost. */
export function runIsOver(runId: string): RunError {
  return new RunError(
    "RUN_OVER",
    `Run "${runId}" has ended, so the message was not added. Start a new run with its session or messages; suspended and stopped runs take messages through the agent's steer() and followUp().`,
    { runId },
  );
}
