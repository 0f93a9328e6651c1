import type { GateMoment, PartVerdict, Refusal } from "../part.ts";
import { fail, finish, type MaybePromise, type PipelineCall } from "./call.ts";
import { hashArguments, validateArguments } from "./validate.ts";

/** Maximum number of rounds in which extensions may change the arguments of one call. */
const mostChanges = 5;

type Gates = PipelineCall["run"]["points"]["gate"];

/** Calls the parts of the run about a call that the model made. */
export function gateMade(call: PipelineCall): Promise<void> | undefined {
  return askGates(call, "made");
}

/**
 * Calls the parts of a run about a call and joins their verdicts: a refusal wins over a question, and a question over
 * no verdict. Arguments that a part changes pass the schema, and each part that judges changed arguments, again.
 */
export function askGates(call: PipelineCall, moment: GateMoment): Promise<void> | undefined {
  if (call.run.points.gate.length === 0) return undefined;
  const gates = gatesAt(call, moment);
  return gates.length === 0 ? undefined : askInRounds(call, gates, moment);
}

function gatesAt({ run, toolName }: PipelineCall, moment: GateMoment): Gates {
  return run.points.gate.filter(
    ({ moments, tools }) =>
      (moments === undefined || moments.includes(moment)) && (tools === undefined || tools.includes(toolName)),
  );
}

async function askInRounds(call: PipelineCall, given: Gates, first: GateMoment): Promise<void> {
  let gates = given;
  let moment = first;
  for (let round = 0; round <= mostChanges; round += 1) {
    call.mustAsk = undefined;
    const changed = await askEach(call, gates, moment);
    if (call.phase !== "gating" || changed === undefined) return;
    if (call.state.call !== undefined)
      return refuseChanges(call, `${changed.by} changed arguments that are recorded already`);
    await validateArguments(call, changed.change, `The arguments that ${changed.by} gave`);
    if (call.phase !== "gating") return;
    moment = "changed";
    gates = gatesAt(call, moment);
  }
  await refuseChanges(call, "its extensions kept changing its arguments");
}

/** Calls each gate once. */
async function askEach(
  call: PipelineCall,
  gates: Gates,
  moment: GateMoment,
): Promise<{ readonly change: unknown; readonly by: string } | undefined> {
  for (const part of gates) {
    const verdict = await part.gate(call, moment);
    if (verdict === undefined) continue;
    if ("change" in verdict) {
      if (hashArguments(call, verdict.change) !== call.argsHash) return verdict;
    } else await apply(call, verdict);
    if (call.phase !== "gating") return undefined;
  }
  return undefined;
}

async function apply(
  call: PipelineCall,
  verdict: Exclude<PartVerdict, undefined | { readonly change: unknown }>,
): Promise<void> {
  if ("refuse" in verdict) {
    await refuse(call, verdict.refuse);
  } else if ("skip" in verdict) {
    finish(call, { output: verdict.skip, simulated: true, durationMs: 0 });
  } else if ("ask" in verdict) {
    call.mustAsk ??= verdict.ask;
  } else {
    await validateArguments(call, verdict.replace, `The arguments that ${verdict.by} gave`);
  }
}

/** Refuses a call. A call that has begun before a crash or a question is not reported as one that never ran. */
function refuse(call: PipelineCall, { message, code }: Refusal): MaybePromise<void> {
  if (call.whenRefused !== undefined) return call.whenRefused(message);
  if (call.state.child === undefined) return fail(call, "policy_denied", message, { code });
  const begun = { code, effectHappened: "unknown" } as const;
  fail(call, "policy_denied", `${message} Calls inside it may have taken effect.`, begun);
}

function refuseChanges(call: PipelineCall, why: string): MaybePromise<void> {
  return refuse(call, { message: `The call of "${call.toolName}" did not run: ${why}.`, code: "EXTENSION_REFUSED" });
}
