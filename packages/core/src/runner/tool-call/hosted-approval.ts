import type { HostedToolPart } from "../../contracts/content-part.ts";
import type { FunctionToolResult } from "../../contracts/function-tool-result.ts";
import type { Decision, Interruption, InterruptionData } from "../../contracts/interruption.ts";
import type { HostedTool } from "../../contracts/model-provider.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import { callKey, type CallState } from "../../journal/run-state.ts";
import { makeInterruption, recordDecision, questionAbout, type QuestionSubject } from "./approval-binding.ts";
import { isUnattended, toolMessage, type Batch } from "./call.ts";
import { decideHere, inlineApprover, type ApprovalSubject } from "./inline-approval.ts";
import { interruption } from "../interruption.ts";

/** A call that the vendor runs once a person has approved it. Its place is after the calls of the answer. */
type HostedCall = QuestionSubject &
  ApprovalSubject & { readonly turn: number; readonly index: number; readonly part: HostedToolPart };

const neededPerson =
  'This run is unattended (flow.unattended: "fail"), so it ends. Use flow.unattended: "pend" to wait for the answer.';

export interface HostedOutcome {
  readonly interruptions: readonly Interruption[];
  readonly functionResults: readonly FunctionToolResult[];
  /** A call needed a person, and `flow.unattended` is `fail`: the run ends after this turn. */
  readonly unattended: boolean;
}

/**
 * Asks a person about each call that the vendor holds back. A decision becomes the message that the vendor waits for;
 * without one, the run waits.
 */
export async function decideHosted(batch: Batch): Promise<HostedOutcome> {
  const interruptions: Interruption[] = [];
  const functionResults: FunctionToolResult[] = [];
  const calls = hostedCalls(batch);
  for (const call of calls) {
    const open = await decideOne(call);
    if (open === undefined) continue;
    interruptions.push(open);
    functionResults.push({ type: "hosted_mcp_tool_approval", tool: hostedToolOf(call), runItem: open });
  }
  const unattended = calls.some((call) => stateOf(call)?.approval?.via === "unattended");
  return { interruptions, functionResults, unattended };
}

/** Rejects the calls that the vendor holds back, because the run ends without them. */
export function rejectHosted(batch: Batch, reason: string): void {
  for (const call of hostedCalls(batch)) {
    const state = stateOf(call);
    const asked = state?.approval?.interruption;
    if (asked !== undefined && state?.result === undefined)
      record(call, { id: asked.id, type: "reject", reason }, "toolUseBehavior");
  }
}

function hostedCalls(batch: Batch): HostedCall[] {
  const { run, turn } = batch;
  const answer = run.journal.state.lastAnswer;
  const parts =
    answer?.content.filter((part) => part.type === "hosted_tool" && part.approvalRequestId !== undefined) ?? [];
  if (answer === undefined || parts.length === 0) return [];
  return (parts as readonly HostedToolPart[]).map((part, place) => ({
    batch,
    run,
    turn,
    index: answer.toolCalls.length + place,
    part,
    toolCallId: part.approvalRequestId ?? part.toolCallId,
    toolName: part.toolName,
    rawArguments: part.input === undefined ? "" : JSON.stringify(part.input),
    args: part.input,
    argsHash: run.agent.hasher.sha256(canonicalJson(part.input)),
    tool: undefined,
  }));
}

function stateOf({ run, turn, index }: HostedCall): CallState | undefined {
  return run.journal.state.calls.get(callKey(turn, index));
}

/** @returns the question, if it is still open. */
async function decideOne(call: HostedCall): Promise<Interruption | undefined> {
  const { run, batch } = call;
  const state = stateOf(call);
  if (state?.result !== undefined) return undefined;
  if (batch.stopped !== undefined) return answer(call, { id: "", type: "reject", reason: "The run was stopped." });
  const decided = state?.approval?.decision;
  if (decided !== undefined) return answer(call, decided);
  const data = state?.approval?.interruption ?? (await asked(call));
  const made = await decideHere(call, data);
  if (made !== undefined)
    return record(call, made.decision ?? { id: data.id, type: "reject", reason: "The run was stopped." }, made.via);
  if (!isUnattended(run) || inlineApprover(call, data) !== undefined) return interruption(data);
  return record(call, { id: data.id, type: "reject", reason: neededPerson }, "unattended");
}

async function asked(call: HostedCall): Promise<InterruptionData> {
  const { turn, index, args, run } = call;
  const question = await questionAbout(call, { kind: "hosted" });
  const interruption = makeInterruption(call, { kind: "approval", question, args });
  run.journal.record({ type: "tool.approval.requested", turn, index, interruption });
  return interruption;
}

/** Journals a decision, and with it the answer: the question is not open any more. */
function record(call: HostedCall, decision: Decision, via: string): undefined {
  recordDecision(call.run, call, { argsHash: call.argsHash, definitionHash: "" }, decision, via);
  return answer(call, decision);
}

function answer(call: HostedCall, decision: Decision): undefined {
  const { run, turn, index, toolCallId, toolName } = call;
  const approved = decision.type === "approve";
  const reason = decision.type === "reject" ? decision.reason : undefined;
  const content = approved ? "Approved." : `Not approved.${reason === undefined ? "" : ` Reason: ${reason}`}`;
  run.journal.record({
    type: "tool.result",
    turn,
    index,
    message: toolMessage(run, call, content, { hostedApproval: { approved, reason } }),
    result: { toolCallId, toolName, input: call.args, isError: false, output: { approved }, durationMs: 0 },
  });
}

function hostedToolOf(call: HostedCall): HostedTool {
  const { run, part } = call;
  const offered = run.agent.options.hostedTools ?? [];
  const provider = run.journal.state.lastAnswer?.provenance.provider ?? "";
  return (
    offered.find((tool) => tool.name === part.toolName) ??
    offered.find((tool) => tool.asksApproval === true) ?? {
      type: "hosted",
      provider,
      name: part.toolName,
      args: {},
      sideEffectClass: "external-stateful",
    }
  );
}
