import { setTimeout } from "node:timers/promises";
import { BailiwickError, isEnded, type RunOutput } from "@bailiwick/core";
import type { Desk } from "../desk.ts";
import { oneLine } from "../one-line.ts";
import { mailOfSession, sessionOfMail } from "./mail-session.ts";

/** Time between two attempts to get the lease of a run whose process was killed, in milliseconds. */
const retryMs = 500;

type Parts = Pick<Desk, "agent" | "store" | "processes">;

/** Stops a wait, and receives its messages. */
export interface Continuation {
  readonly signal: AbortSignal;
  /** Receives one line for people. */
  say(line: string): void;
}

/**
 * The newest run about a mail that has not ended: it waits for a person, or its process was killed.
 *
 * @param mailId - Any mail.
 */
export async function findUnfinished({ store }: Pick<Desk, "store">, mailId: string): Promise<string | undefined> {
  const runs = await store.listRuns({ sessionId: sessionOfMail(mailId), limit: 50 });
  return runs.find((run) => run.parent === undefined && !isEnded(run.state))?.id;
}

/**
 * Drives a run to its end or to its next question. A run that a killed process drove is taken over at once when no other
 * process of the desk is alive. While another process may drive it, this waits for it or for its lease to expire.
 *
 * @param runId - A run of the desk's agent.
 */
export async function continueRun(desk: Parts, runId: string, { signal, say }: Continuation): Promise<RunOutput> {
  let told = false;
  for (;;) {
    signal.throwIfAborted();
    const { output } = await desk.agent.inspect(runId);
    if (output !== undefined) return output;
    try {
      // If no other process is alive, the owner of the lease is gone, so there is no need to wait.
      return await desk.agent.resume(runId, [], { signal, formerIsGone: !desk.processes.othersAreAlive() });
    } catch (error) {
      if (!BailiwickError.isInstance(error) || error.code !== "RUN_BUSY") throw error;
    }
    if (!told) {
      const where = desk.processes.othersAreAlive() ? "Another process drives it" : "Its process has ended";
      say(
        `Run ${runId} is unfinished. ${where}; waiting for its lease, 5 seconds at most after the last sign of life.`,
      );
    }
    told = true;
    await setTimeout(retryMs, undefined, { signal });
  }
}

/**
 * Continues every run that a killed process left behind. Does nothing while another desk process is
 * alive, because that process continues them.
 */
export async function continueUnfinished(desk: Parts, continuation: Continuation): Promise<void> {
  if (desk.processes.othersAreAlive()) return;
  for (const { id, sessionId } of await leftBehind(desk.store)) {
    const mailId = mailOfSession(sessionId);
    const about = mailId === null ? "" : ` about mail ${mailId}`;
    continuation.say(`Continuing run ${id}${about}, which another command left unfinished.`);
    try {
      const { status } = await continueRun(desk, id, continuation);
      continuation.say(`Run ${id} is ${status}.`);
    } catch (error) {
      continuation.say(oneLine(error));
    }
  }
}

async function leftBehind(store: Desk["store"]) {
  const states = await Promise.all([store.listRuns({ state: "running" }), store.listRuns({ state: "queued" })]);
  return states.flat().filter((run) => run.parent === undefined);
}
