import type { CallPayloads } from "../contracts/call-payloads.ts";
import type { Decision, InterruptionData } from "../contracts/interruption.ts";
import type { CallDecision } from "../contracts/tool-call-result.ts";
import type { JournalEventOf } from "../contracts/journal-event.ts";
import type { AgentUsage } from "../contracts/run-output.ts";
import { addAgentUsage, addCost, addUsage } from "./fold-model.ts";
import { bareQuestion } from "./bare-question.ts";
import { callKey, type CallState, type RunState } from "./run-state.ts";
import { dropPendingDecision, setEntry } from "./fold-inputs.ts";

type CallEvent = JournalEventOf<Exclude<keyof CallPayloads, "flow.grants" | "flow.extract">>;

/** A record that names its call in full. */
type OwnCallEvent = Exclude<CallEvent, { type: "input.answered" | "child.decided" | "sleep.ended" }>;

/** Applies a record about one tool call. */
export function foldCallEvent(state: RunState, event: CallEvent): void {
  if (event.type === "input.answered") {
    foldAnswer(state, event);
    return;
  }
  if (event.type === "child.decided") {
    foldChildDecision(state, event);
    dropPendingDecision(state, event.decision.id);
    return;
  }
  if (event.type === "sleep.ended") {
    foldSleepEnd(state.calls.get(callKey(event.turn, event.index)), event.sleepKey);
    return;
  }
  const call = callOf(state, event);
  switch (event.type) {
    case "tool.call":
      call.call = event;
      return;
    case "tool.approval.requested":
      call.approval = { interruption: event.interruption };
      return;
    case "tool.approval.decided":
      foldDecision(state, call, event);
      return;
    case "flow.decided":
      call.flow = event;
      return;
    case "flow.lowered":
      if (event.by === "approval") call.lowered = event;
      return;
    case "tool.intent":
      call.intent = event;
      // A further attempt: the result of an earlier one does not apply to it.
      call.outcome = undefined;
      useApproval(call);
      return;
    case "tool.outcome":
      call.outcome = event;
      call.child = undefined;
      useApproval(call);
      addOutcome(state, event);
      return;
    case "tool.result":
      if (call.result !== undefined) return;
      call.result = event;
      insertResult(state, event);
      state.toolCalls.push(
        call.decisions === undefined ? event.result : { ...event.result, decisions: call.decisions },
      );
      return;
    case "input.requested":
      call.question = event.interruption;
      settleAttempt(call);
      return;
    case "sleep.begun":
      call.sleep = { key: event.sleepKey, wakeAt: event.wakeAt, keyHeldBy: event.keyHeldBy };
      // A call that waits for a key has not begun an attempt.
      if (event.keyHeldBy === undefined) settleAttempt(call);
      else call.keySleeps = (call.keySleeps ?? 0) + 1;
      return;
    case "child.suspended":
      call.child = {
        runId: event.childRunId,
        interruptions: event.interruptions,
        spent: event.spent ?? [],
        decisions: [],
        wakeAt: event.wakeAt,
        keyHeldBy: event.keyHeldBy,
      };
      call.inside = true;
      settleAttempt(call);
      return;
    default:
      return;
  }
}

/**
 * Applies the names of the tools that write from now on. A reader has no intent record, so an open call of a tool that
 * was a reader before may have run.
 */
export function foldWriters(state: RunState, writers: readonly string[]): void {
  const { calls, turnCalls, openModelCall, writers: before = [] } = state;
  const isFormer = (name: string): boolean => writers.includes(name) && !before.includes(name);
  for (const key of turnCalls) {
    const call = calls.get(key);
    // A call that waits for its first decision has not run.
    if (call !== undefined && isFormer(call.toolName) && (call.approval === undefined || call.approval.decision))
      call.formerReader = true;
  }
  if (openModelCall !== undefined)
    state.formerReaders = [...state.formerReaders, ...openModelCall.tools.filter(isFormer)];
  state.writers = writers;
}

function foldSleepEnd(call: CallState | undefined, key: string | undefined): void {
  if (call === undefined) return;
  if (key === undefined) {
    if (call.child === undefined) return;
    call.child.wakeAt = undefined;
    call.child.woken = true;
    return;
  }
  if (call.sleep?.keyHeldBy === undefined) (call.slept ??= new Set()).add(key);
  call.sleep = undefined;
}

function foldChildDecision(state: RunState, { turn, index, decision, via, at }: JournalEventOf<"child.decided">): void {
  const call = state.calls.get(callKey(turn, index));
  const child = call?.child;
  const interruption = child?.interruptions.find(({ id }) => id === decision.id);
  child?.decisions.push(decision);
  if (call !== undefined) noteDecision(call, interruption, decision, { via });
  state.decided.set(decision.id, { interruption, decision, via, at });
}

function callOf(state: RunState, event: OwnCallEvent): CallState {
  const { turn, index } = event;
  // The state has the key of a call of this turn already.
  const key = (turn === state.turn ? state.turnCalls[index] : undefined) ?? callKey(turn, index);
  const known = state.calls.get(key);
  if (known !== undefined) return known;
  const { toolCallId, toolName } = identityOf(event);
  const call: CallState = { turn, index, toolCallId, toolName };
  state.calls.set(key, call);
  state.callIds.add(toolCallId);
  return call;
}

function identityOf(event: OwnCallEvent): Pick<CallState, "toolCallId" | "toolName"> {
  switch (event.type) {
    case "tool.approval.requested":
    case "input.requested":
      return event.interruption;
    case "tool.result":
      return event.message;
    default:
      return event;
  }
}

function foldDecision(state: RunState, call: CallState, event: JournalEventOf<"tool.approval.decided">): void {
  const approval = (call.approval ??= { interruption: unasked(state, call, event) });
  approval.decision = event.decision;
  approval.via = event.via;
  approval.used = undefined;
  const { decision, via, at } = event;
  state.decided.set(decision.id, { interruption: approval.interruption, decision, via, at, call });
  noteDecision(call, approval.interruption, decision, event);
  if (event.decision.type === "it_did_not_happen") {
    settleAttempt(call);
    call.formerReader = undefined;
  }
  dropPendingDecision(state, event.decision.id);
  remember(state, call, event);
}

/** Keeps a decision for the output: who decided, where, and which values the person changed. */
function noteDecision(
  call: CallState,
  interruption: InterruptionData | undefined,
  decision: Decision,
  { via, changes }: Pick<CallDecision, "via" | "changes">,
): void {
  // Edited arguments may contain a secret; the changes do not.
  const { id: _id, token: _token, ...said } = { ...decision, args: undefined };
  (call.decisions ??= []).push({ ...said, question: interruption?.question.title ?? "", via, changes });
}

function remember(state: RunState, call: CallState, event: JournalEventOf<"tool.approval.decided">): void {
  const { decision } = event;
  // A remembered decision that applies again is not stored twice.
  if (event.via === "remembered" || !("remember" in decision) || decision.remember === undefined) return;
  state.remembered.push({
    toolName: event.toolName,
    definitionHash: event.definitionHash,
    approved: decision.type === "approve",
    ...(decision.type === "reject" && decision.reason !== undefined && { reason: decision.reason }),
    ...(decision.remember === "call" && { argsHash: event.argsHash }),
    ...(decision.remember === "values" && { flowArgs: approvedArgs(call, decision) }),
    at: event.at,
    ...(decision.decidedBy !== undefined && { decidedBy: decision.decidedBy }),
  });
}

function approvedArgs(call: CallState, decision: Decision): unknown {
  if (decision.type === "approve" && decision.args !== undefined) return decision.args;
  return call.call?.given ?? call.call?.args ?? call.approval?.interruption.args;
}

/** A decision without a question in the journal: an inline, remembered or policy decision. */
function unasked(state: RunState, call: CallState, event: JournalEventOf<"tool.approval.decided">): InterruptionData {
  return {
    kind: "approval",
    id: event.decision.id,
    runId: event.runId,
    agentName: state.activeAgent,
    agentPath: [state.activeAgent],
    toolCallId: event.toolCallId,
    toolName: event.toolName,
    args: call.call?.args,
    question: bareQuestion(event.via, "", event.toolCallId),
    argsHash: event.argsHash,
    definitionHash: event.definitionHash,
    requestedAt: event.at,
    expiresAt: event.at,
  };
}

/** Results are in the model's order, even if a call that waited for a person gets its result last. */
function insertResult(state: RunState, event: JournalEventOf<"tool.result">): void {
  const { messages, lastAnswer } = state;
  let place = messages.length;
  for (; place > 0; place -= 1) {
    const before = messages[place - 1];
    if (before?.role !== "tool") break;
    // Usually it is the result of the previous call.
    if (lastAnswer?.toolCalls[event.index - 1]?.id === before.toolCallId) break;
    const index = lastAnswer?.toolCalls.findIndex((call) => call.id === before.toolCallId) ?? -1;
    if (index <= event.index) break;
  }
  messages.splice(place, 0, event.message);
}

function settleAttempt(call: CallState): void {
  if (call.intent !== undefined) call.settledAttempt = call.intent.attempt;
}

function useApproval(call: CallState): void {
  if (call.approval?.decision !== undefined) call.approval.used = true;
}

function addOutcome(state: RunState, event: JournalEventOf<"tool.outcome">): void {
  state.toolMs += event.durationMs;
  for (const one of event.inside ?? []) addInside(state, one, [one]);
  const child = event.childRun;
  if (child === undefined) return;
  state.remembered.push(...(child.remembered ?? []));
  for (const [key, value] of Object.entries(child.sessionState ?? {})) {
    state.unsavedState.delete(key);
    setEntry(state.sessionState, key, value);
  }
  addInside(state, child, child.byAgent ?? []);
}

function addInside(
  state: RunState,
  { usage, costUsd }: Partial<AgentUsage> & Pick<AgentUsage, "usage">,
  byAgent: readonly AgentUsage[],
): void {
  state.usage = addUsage(state.usage, usage);
  state.costUsd = addCost(state.costUsd, costUsd);
  state.usageInside = addAgentUsage(state.usageInside, byAgent);
}

function foldAnswer(state: RunState, event: JournalEventOf<"input.answered">): void {
  for (const call of state.calls.values()) {
    if (call.toolCallId !== event.toolCallId) continue;
    if (call.question !== undefined) {
      const { id } = call.question;
      const { value, failed, decidedBy, channel } = event;
      const decision: Decision =
        failed === undefined
          ? { id, type: "answer", value, decidedBy, channel }
          : { id, type: "fail", reason: failed, decidedBy, channel };
      noteDecision(call, call.question, decision, { via: "answer" });
      state.decided.set(id, { interruption: call.question, decision, via: "answer", at: event.at, call });
      dropPendingDecision(state, id);
    }
    call.question = undefined;
    if (event.by === "client") {
      call.clientAnswer = { value: event.value, failed: event.failed };
      return;
    }
    call.answers ??= {};
    setEntry(call.answers, event.answerKey, event.value);
    return;
  }
}
