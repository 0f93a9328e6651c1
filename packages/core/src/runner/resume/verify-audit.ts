import type { JournalEvent } from "../../contracts/journal-event.ts";
import { isEnded } from "../../contracts/stop-reason.ts";
import type { StoredRun } from "../../contracts/ports/stored-run.ts";
import { RunNotFoundError } from "../../errors/run-errors.ts";
import { JournalTamperedError, ReplayDivergenceError } from "../../errors/store-errors.ts";
import { lazyPart } from "../../loading/lazy-part.ts";
import { readJournal, restoreState } from "../../journal/open-journal.ts";
import { checkRunId, protectionOf } from "../start/load-run.ts";
import type { Flaw } from "./audit-flaws.ts";
import type { Agent } from "../run.ts";

const flaws = lazyPart("The audit of a run", () => import("./audit-flaws.ts"));

/** Value of a run's journal as evidence. */
export type AuditVerdict =
  /** Every record is signed with this agent's key, in its place, and each question carries its own signature. */
  | { readonly verdict: "valid"; readonly records: number }
  /** No accidental change. Without `keys.sign`, deliberate changes are not detected. */
  | { readonly verdict: "unsigned"; readonly records: number }
  /** The journal is invalid from record `seq` on. */
  | { readonly verdict: "broken"; readonly seq: number; readonly reason: string };

/**
 * Checks a run's journal without driving it: its order and derived keys, the signature over every record if there is a
 * key, that its end is the store's head, that each call which the flow rules asked about was approved, and that no
 * denied call ran. A store that was rolled back as a whole to an earlier signed state looks like an earlier run; only
 * an export in another place shows the difference.
 *
 * @throws RunNotFoundError when the store does not have it.
 */
export async function verifyAudit(agent: Agent, runId: string): Promise<AuditVerdict> {
  const { store } = agent;
  checkRunId(store, runId);
  const look = async (): Promise<StoredRun> => {
    const run = await store.getRun(runId);
    if (run === undefined) throw new RunNotFoundError(runId, store.name);
    return run;
  };
  const before = await look();
  let events: readonly JournalEvent[] = [];
  try {
    events = await readJournal(store, runId, protectionOf(agent));
    restoreState(runId, events);
  } catch (error) {
    if (JournalTamperedError.isInstance(error)) return { verdict: "broken", seq: error.seq, reason: error.message };
    if (error instanceof ReplayDivergenceError)
      return { verdict: "broken", seq: seqOf(events, error.found), reason: error.message };
    throw error;
  }
  const after = await look();
  const flaw =
    missingEnd(before, events, after) ?? (await flaws((part) => part.firstFlaw({ events, signer: agent.signer })));
  if (flaw !== undefined) return { verdict: "broken", ...flaw };
  return { verdict: agent.options.keys?.sign === undefined ? "unsigned" : "valid", records: events.length };
}

/**
 * The process that drives the run may continue during the check: the number of records is the one before or after that.
 */
function missingEnd(before: StoredRun, events: readonly JournalEvent[], after: StoredRun): Flaw | undefined {
  const seq = events.length;
  const { id, state, head } = seq < before.head.seq ? before : after;
  if (seq < before.head.seq || seq > after.head.seq)
    return { seq, reason: `The store says that run "${id}" has ${head.seq} records; there are ${seq}.` };
  if (isEnded(state) && head.seq === seq && events.at(-1)?.type !== "run.end")
    return { seq, reason: `Run "${id}" is ${state}, and its last record is not its end.` };
  return undefined;
}

function seqOf(events: readonly JournalEvent[], key: string): number {
  return events.find((event) => event.key === key)?.seq ?? 0;
}
