import { asChain } from "../settings/join-approval.ts";
import { askUserCode } from "../../user-code/call-user-code.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { modelCall, toolOf, type PipelineCall } from "./call.ts";
import { isNamed } from "./named-call.ts";
import { reasonOf, reportFailure } from "../hooks/hook-failures.ts";
import { decidingTimeoutMs, limitsOf } from "../hooks/hooks-runner.ts";
import { toolContext } from "./tool-context.ts";

/** A predicate's answer; `found` tells that it failed. */
export interface Needed {
  readonly needed: boolean;
  readonly found: string | undefined;
}

const notNeeded: Needed = { needed: false, found: undefined };
const isNeeded: Needed = { needed: true, found: undefined };

/** Asks today's tool and approval policy if a person has to decide about the call; a predicate that fails counts as yes. */
export async function needsApprovalToday(call: PipelineCall): Promise<Needed> {
  const { needsApproval } = toolOf(call);
  if (needsApproval === true) return isNeeded;
  if (typeof needsApproval === "function") {
    const answer = await ask(call, "needsApproval", () => needsApproval(ownCopy(call.input), toolContext(call)));
    if (answer.needed) return answer;
  }
  return askPolicy(call);
}

/** Calls a predicate. If it fails, a person is asked, and the question states the reason. */
async function ask(call: PipelineCall, name: string, predicate: () => boolean | Promise<boolean>): Promise<Needed> {
  const answer = await askUserCode<unknown>(predicate, limitsOf(call.run, name, decidingTimeoutMs));
  if (answer.ok && typeof answer.value === "boolean") return answer.value ? isNeeded : notNeeded;
  if (!answer.ok && answer.stopped) return isNeeded;
  const error = answer.ok ? new TypeError(`"${name}" has to return true or false.`) : answer.error;
  reportFailure(call.run, `${name} of ${call.toolName}`, error, "A person is asked.");
  return { needed: true, found: `"${name}" failed: ${reasonOf(call, error)}` };
}

async function askPolicy(call: PipelineCall): Promise<Needed> {
  const { approval } = call.run.settings;
  if (approval === undefined) return notNeeded;
  const { policies } = asChain(approval);
  if (policies.some((policy) => isNamed(call, policy))) return isNeeded;
  for (const policy of policies) {
    if (typeof policy !== "function") continue;
    const answer = await ask(call, "approval.policy", () => policy(ownCopy(modelCall(call)), call.run.context));
    if (answer.needed) return answer;
  }
  return notNeeded;
}
