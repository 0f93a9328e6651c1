import { isFirstParty } from "./approval-scope.ts";
import { needsApprovalToday } from "./approve.ts";
import { flowToday, supersedes } from "./authorize.ts";
import { toolOf } from "./call.ts";
import type { PipelineCall } from "./call.ts";
import { makeKey } from "./deduplicate.ts";
import { parsedHash } from "./validate.ts";

/**
 * Compares what an attempt without an outcome did with what today's tool would do for the same call.
 *
 * @param call - Its arguments are the journaled ones, parsed by today's tool.
 * @returns nothing when a further attempt is the same effect, under the same key and behind the same gate; otherwise
 * what is different, for the person who is asked what happened.
 */
export async function differenceToday(call: PipelineCall): Promise<string | undefined> {
  const { intent, call: recorded, approval } = call.state;
  const tool = toolOf(call);
  if (intent?.idempotencyKey === undefined) return "it was sent without an idempotency key";
  if (tool.idempotencyKey === undefined) return "the tool has no idempotency key any more";
  if (intent.inputHash === undefined || parsedHash(call) !== intent.inputHash)
    return "the tool reads its arguments differently now";
  if (!isFirstParty(tool) && tool.__definitionHash !== recorded?.definitionHash)
    return "the definition of the tool has changed";
  if ((await makeKey(call)) !== intent.idempotencyKey) return "the tool gives it another idempotency key now";
  const isApproved = approval?.decision?.type === "approve";
  if (!isApproved && call.needsApproval !== true && (await needsApprovalToday(call)))
    return "the tool needs an approval now that it did not need then";
  const flow = await flowToday(call);
  if (flow === "failed") return "the flow policy cannot decide it";
  if (flow !== undefined && flow.verdict !== "allow" && flow.shadow !== true && supersedes(flow, call.flow))
    return `the flow policy asks now: ${flow.explanation}`;
  return undefined;
}
