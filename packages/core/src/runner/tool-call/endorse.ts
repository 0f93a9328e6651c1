import type { Endorser } from "../../contracts/tool-context.ts";
import { EndorsementError } from "../../errors/endorsement-error.ts";
import { parsePath, valuesAt } from "../../tools/paths.ts";
import { toolOf } from "./call.ts";
import type { PipelineCall } from "./call.ts";

/**
 * What `ctx.endorse` does: the flow policy raises the label of what stands behind a reference. Without a policy nothing
 * has a label, and the value is validated only.
 *
 * @throws EndorsementError when nobody vouches for the value.
 */
export async function endorse<T>(call: PipelineCall, ref: string, validator: Endorser<T>, reason: string): Promise<T> {
  const tool = toolOf(call);
  if (tool.__source.kind !== "first-party") {
    throw new EndorsementError(
      "ENDORSEMENT_IMPOSSIBLE",
      `Tool "${tool.name}" does not come from the developer of this agent, so it cannot vouch for a value. Validate the value in a tool of your own.`,
    );
  }
  if (typeof validator?.name !== "string" || validator.name === "" || typeof reason !== "string" || reason === "") {
    throw new EndorsementError(
      "ENDORSEMENT_IMPOSSIBLE",
      `Tool "${tool.name}" called ctx.endorse without the name of its validator or a reason, which the audit needs: ctx.endorse(ref, { name, schema }, reason).`,
    );
  }
  const { flow } = call.run;
  if (flow === undefined) return validated(argumentAt(call, ref), validator);
  const { turn, index, toolCallId, input, args } = call;
  return (await flow.endorse({ call: { turn, index, toolCallId, tool, input, args }, ref, validator, reason })) as T;
}

function argumentAt({ args, toolName }: PipelineCall, ref: string): unknown {
  const [found, ...more] = valuesAt(args, parsePath(ref));
  if (found !== undefined && more.length === 0) return found;
  throw new EndorsementError(
    "ENDORSEMENT_IMPOSSIBLE",
    `Tool "${toolName}" wants to endorse "${ref}", which is not one argument of this call.`,
  );
}

async function validated<T>(value: unknown, { name, schema }: Endorser<T>): Promise<T> {
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return result.value;
  throw new EndorsementError("ENDORSEMENT_REFUSED", `The validator "${name}" refuses the value.`);
}
