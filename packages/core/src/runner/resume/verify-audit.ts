import { isEnded } from "../../contracts/stop-reason.ts";
import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { StoredRun } from "../../contracts/ports/stored-run.ts";
import { RunNotFoundError } from "../../errors/run-errors.ts";
import { JournalTamperedError, ReplayDivergenceError } from "../../errors/store-errors.ts";
import { callKey } from "../../journal/event-keys.ts";
import { readJournal, restoreState } from "../../journal/open-journal.ts";
import type { AgentDefinition } from "../active-run.ts";
import { protectionOf } from "../start/load-run.ts";

/** Value of a run's journal as evidence. */
export type AuditVerdict =
  /** Every record is signed with this agent's key, in its place, and each question carries its own signature. */
  | { readonly verdict: "valid"; readonly records: number }
  /** Nothing was changed by accident. Without `keys.sign` nobody vouches for more. */
  | { readonly verdict: "unsigned"; readonly records: number }
  /** It does not hold from record `seq` on. */
  | { readonly verdict: "broken"; readonly seq: number; readonly reason: string };

/**
 * Checks a run's journal without driving it: its order and derived keys, with a key the signature over every record, that
 * its end is the one that the store has, that each call which the flow rules asked about ran on somebody's word, and that
 * none ran which they denied. A store that was rolled back as a whole to an earlier signed state is told from a run that
 * had come no further only by an export that was kept elsewhere.
 *
 * @throws RunNotFoundError when the store does not have it.
 */
export async function verifyAudit(definition: AgentDefinition, runId: string): Promise<AuditVerdict> {
  const { store } = definition;
  const look = async (): Promise<StoredRun> => {
    const run = await store.getRun(runId);
    if (run === undefined) throw new RunNotFoundError(runId, store.name);
    return run;
  };
  const before = await look();
  let events: readonly JournalEvent[] = [];
  try {
    events = await readJournal(store, runId, protectionOf(definition));
    restoreState(runId, events);
  } catch (error) {
    if (JournalTamperedError.isInstance(error) && error.code === "JOURNAL_TAMPERED")
      return { verdict: "broken", seq: (error as JournalTamperedError).seq, reason: error.message };
    if (error instanceof ReplayDivergenceError)
      return { verdict: "broken", seq: seqOf(events, error.found), reason: error.message };
    throw error;
  }
  const flaw =
    missingEnd(before, events, await look()) ?? forgedQuestion(definition, events) ?? unexplainedCall(events);
  if (flaw !== undefined) return { verdict: "broken", ...flaw };
  return { verdict: definition.options.keys?.sign === undefined ? "unsigned" : "valid", records: events.length };
}

interface Flaw {
  readonly seq: number;
  readonly reason: string;
}

function seqOf(events: readonly JournalEvent[], key: string): number {
  return events.find((event) => event.key === key)?.seq ?? 0;
}

/** The process that drives the run may continue while its records are read: there are as many as it had before that, or after. */
function missingEnd(before: StoredRun, events: readonly JournalEvent[], after: StoredRun): Flaw | undefined {
  const seq = events.length;
  const { id, state, head } = seq < before.head.seq ? before : after;
  if (seq < before.head.seq || seq > after.head.seq)
    return { seq, reason: `The store says that run "${id}" has ${head.seq} records; there are ${seq}.` };
  const over = isEnded(state);
  if (over && head.seq === seq && events.at(-1)?.type !== "run.end")
    return { seq, reason: `Run "${id}" is ${state}, and its last record is not its end.` };
  return undefined;
}

/** The first question whose token is not this agent's: what was decided was not what was asked. */
function forgedQuestion(definition: AgentDefinition, events: readonly JournalEvent[]): Flaw | undefined {
  const { signer } = definition;
  if (signer === undefined) return undefined;
  for (const event of events) {
    if (event.type !== "tool.approval.requested") continue;
    const { interruption } = event;
    if (interruption.token !== undefined && signer.verify(interruption, interruption.token)) continue;
    return {
      seq: event.seq,
      reason: `The question of record ${event.seq} of run "${event.runId}" does not carry this agent's signature.`,
    };
  }
  return undefined;
}

/** The first call that ran although a rule of the flow policy stood against it, and nobody lowered its label. */
function unexplainedCall(events: readonly JournalEvent[]): Flaw | undefined {
  const calls = new Map<string, CallAuthority>();
  for (const event of events) {
    if (!("index" in event)) continue;
    const key = callKey(event.turn, event.index);
    const call = calls.get(key) ?? { verdict: undefined, approved: new Set<string>() };
    calls.set(key, call);
    readAuthority(call, event);
    const { verdict, approved } = call;
    if (verdict === undefined) continue;
    const ran = event.type === "tool.intent" || (event.type === "tool.outcome" && event.failure === undefined);
    const covered = event.type === "tool.intent" ? approved.has(event.argsHash) : approved.size > 0;
    if (ran && (verdict === "deny" || !covered)) {
      return {
        seq: event.seq,
        reason: `Record ${event.seq} of run "${event.runId}" has a call of "${event.toolName}" that a flow rule ${verdict === "deny" ? "denied." : "stood against, and no record before it lowers the label of its arguments."}`,
      };
    }
  }
  return undefined;
}

/** The last verdict of the flow policy on a call, unless it allows the call, and the hashes of arguments that a person approved. */
interface CallAuthority {
  verdict: "ask" | "deny" | undefined;
  readonly approved: Set<string>;
}

/** Takes in a record about a call. An approval does not lift a denial; a later decision of the policy does. */
function readAuthority(call: CallAuthority, event: JournalEvent): void {
  if (event.type === "flow.decided")
    call.verdict = event.shadow === true || event.verdict === "allow" ? undefined : event.verdict;
  else if (event.type === "flow.lowered" && event.by === "approval") call.approved.add(event.subject);
  else if (event.type === "tool.approval.decided" && event.decision.type === "approve")
    call.approved.add(event.argsHash);
}
