import type { Decision, InterruptionData } from "../../contracts/interruption.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import { changesIn } from "./changed-values.ts";
import type { Run } from "../run.ts";

/** A call that a decision is about. */
interface DecidedCall {
  readonly turn: number;
  readonly index: number;
  readonly toolCallId: string;
  readonly toolName: string;
}

/** Hashes that a decision is bound to, and the arguments as its question showed them. */
type Bound = Pick<InterruptionData, "argsHash" | "definitionHash"> & { readonly args?: unknown };

/** Journals the decision about a call: of a person, a remembered one, or an expiry. It is bound to edited arguments. */
export function recordDecision(
  { agent, journal }: Run,
  { turn, index, toolCallId, toolName }: DecidedCall,
  { args, argsHash, definitionHash }: Bound,
  decision: Decision,
  via: string,
): void {
  const edited = decision.type === "approve" ? decision.args : undefined;
  journal.record({
    type: "tool.approval.decided",
    turn,
    index,
    toolCallId,
    toolName,
    decision,
    via,
    changes: changesIn(agent, args, decision),
    argsHash: edited === undefined ? argsHash : agent.hasher.sha256(canonicalJson(edited)),
    definitionHash,
  });
}

/** The decision about a question whose time is over. */
export function expiredDecision(id: string): Decision {
  return { id, type: "reject", reason: "The approval was not given in time." };
}
