import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { Agent } from "../run.ts";

export interface Flaw {
  readonly seq: number;
  readonly reason: string;
}

/** A loaded journal, and the signer of the agent that loads it. */
export interface AuditedJournal {
  readonly events: readonly JournalEvent[];
  readonly signer: Agent["signer"];
}

/** Finds flaws that only the whole journal shows: a forged question, an unexplained call. */
export function firstFlaw(journal: AuditedJournal): Flaw | undefined {
  return forgedQuestion(journal) ?? unexplainedCall(journal.events);
}

/** The first question whose token was not issued by this agent: the decision was for another question. */
function forgedQuestion({ signer, events }: AuditedJournal): Flaw | undefined {
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

/** The first call that ran against a rule of the flow policy, without a record that lowered its label. */
function unexplainedCall(events: readonly JournalEvent[]): Flaw | undefined {
  const calls = new Map<string, CallAuthority>();
  for (const event of events) {
    if (!("index" in event)) continue;
    const key = `${event.turn}/${event.index}`;
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
        reason: `Record ${event.seq} of run "${event.runId}" has a call of "${event.toolName}" that a flow rule ${verdict === "deny" ? "denied." : "questioned, and no record before it lowers the label of its arguments."}`,
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

/** Applies a record about a call. An approval does not lift a denial; a later decision of the policy does. */
function readAuthority(call: CallAuthority, event: JournalEvent): void {
  if (event.type === "flow.decided")
    call.verdict = event.shadow === true || event.verdict === "allow" ? undefined : event.verdict;
  else if (event.type === "flow.lowered" && event.by === "approval") call.approved.add(event.subject);
  else if (event.type === "tool.approval.decided" && event.decision.type === "approve")
    call.approved.add(event.argsHash);
}
