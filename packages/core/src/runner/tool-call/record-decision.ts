import type { Decision, InterruptionData } from "../../contracts/interruption.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { ChangedValue } from "../../contracts/tool-call-result.ts";
import { displayed, placeOf, type CallPlace } from "./call.ts";
import type { Run } from "../run.ts";

/** Hashes that a decision is bound to, and the arguments as its question showed them. */
type Bound = Pick<InterruptionData, "argsHash" | "definitionHash"> & { readonly args?: unknown };

/** Journals the decision about a call: of a person, a remembered one, or an expiry. It is bound to edited arguments. */
export function recordDecision(
  run: Run,
  call: CallPlace,
  { args, argsHash, definitionHash }: Bound,
  decision: Decision,
  via: string,
): void {
  const edited = decision.type === "approve" ? decision.args : undefined;
  run.journal.record({
    type: "tool.approval.decided",
    ...placeOf(call),
    decision,
    via,
    changes: changesIn(run, args, decision),
    argsHash: edited === undefined ? argsHash : run.agent.hasher.sha256(canonicalJson(edited)),
    definitionHash,
  });
}

/** The decision about an expired question. */
export function expiredDecision(id: string): Decision {
  return { id, type: "reject", reason: "The approval was not given in time." };
}

/**
 * Values that a person changed in the arguments, without known secrets and as a person sees them.
 *
 * @param before - The arguments as the question showed them.
 */
function changesIn(run: Pick<Run, "agent">, before: unknown, decision: Decision): readonly ChangedValue[] | undefined {
  if (decision.type !== "approve" || decision.args === undefined) return undefined;
  return changed("", before, displayed({ run }, decision.args));
}

function changed(path: string, before: unknown, after: unknown): readonly ChangedValue[] {
  if (before === after) return [];
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after))
    return [{ path, before, after }];
  return Object.keys({ ...before, ...after }).flatMap((key) =>
    changed(Array.isArray(before) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`, before[key], after[key]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
