import type { JournalEventOf } from "../contracts/journal-event.ts";
import { addCost, addUsage } from "./add-usage.ts";
import { callKey } from "./event-keys.ts";
import type { RunState } from "./run-state.ts";
import type { AssistantPart } from "../contracts/content-part.ts";
import type { AssistantMessage } from "../contracts/message.ts";

/** Applies an answer: usage always; the conversation and its calls only for an answer of the conversation. */
export function foldModelResult(state: RunState, event: JournalEventOf<"model.result">): void {
  addModelCall(state, event);
  if (event.purpose !== undefined && event.purpose !== "turn") return;
  state.openModelCall = undefined;
  state.turn = event.turn;
  state.turnCalls = [];
  if (event.responseId !== undefined) state.responseId = event.responseId;
  if (event.error !== undefined) {
    foldPartial(state, event);
    return;
  }
  const message = rekeyCalls(event.message, event.turn, state.callIds);
  state.messages.push(message);
  state.lastAnswer = message;
  message.toolCalls.forEach((call, index) => {
    const key = callKey(event.turn, index);
    state.turnCalls.push(key);
    state.calls.set(key, {
      turn: event.turn,
      index,
      toolCallId: call.id,
      toolName: call.name,
      exact: event.exactArguments?.find((one) => one.index === index),
      // Fields that every call gets later: set here, so that all calls have one shape.
      call: undefined,
      outcome: undefined,
      result: undefined,
    });
  });
}

function addModelCall(state: RunState, event: JournalEventOf<"model.result">): void {
  state.usage = addUsage(state.usage, event.usage);
  state.perRequest.push(event.usage);
  state.costUsd = addCost(state.costUsd, event.costUsd);
  state.ownCostUsd = addCost(state.ownCostUsd, event.costUsd);
  state.modelMs += event.durationMs;
  state.retries += event.retries;
  state.modelCalls += 1;
  state.timeToFirstTokenMs ??= event.timeToFirstTokenMs;
  state.warnings.push(...event.warnings);
}

/** The part of an interrupted answer that had arrived stays in the conversation; its calls never ran and never will. */
function foldPartial(state: RunState, event: JournalEventOf<"model.result">): void {
  const { message } = event;
  const content = message.content.filter((part) => part.type !== "tool_call");
  if (content.length === 0) return;
  const partial = { ...message, content, toolCalls: [], partial: true };
  state.messages.push(partial);
  state.lastAnswer = partial;
}

/**
 * Gives each call of an answer an id that no earlier call of the conversation has. Models repeat ids across turns and
 * within one; the new id depends on turn and place alone, so that a reload makes the same one.
 *
 * @param message - The answer as the model gave it.
 * @param turn - The turn it answers.
 * @param taken - Ids of all earlier calls; the ids of this answer are added.
 * @returns the same object when nothing had to change.
 */
function rekeyCalls(message: AssistantMessage, turn: number, taken: Set<string>): AssistantMessage {
  if (message.toolCalls.length === 0) return message;
  const toolCalls = message.toolCalls.map((call, index) => {
    const id = freeId(call.id, turn, index, taken);
    taken.add(id);
    return id === call.id ? call : { ...call, id };
  });
  if (toolCalls.every((call, index) => call === message.toolCalls[index])) return message;
  const renamed = new Map<string, string[]>();
  for (const [index, { id: given }] of message.toolCalls.entries()) {
    const ids = renamed.get(given) ?? [];
    renamed.set(given, [...ids, toolCalls[index]?.id ?? given]);
  }
  // The n-th marker of an id belongs to the n-th call of that id.
  const content = message.content.map((part): AssistantPart => {
    if (part.type !== "tool_call") return part;
    const id = renamed.get(part.toolCallId)?.shift();
    return id === undefined ? part : { ...part, toolCallId: id };
  });
  return { ...message, content, toolCalls };
}

function freeId(id: string, turn: number, index: number, taken: ReadonlySet<string>): string {
  if (id !== "" && !taken.has(id)) return id;
  const base = id === "" ? `call_t${turn}c${index}` : `${id}_t${turn}c${index}`;
  let candidate = base;
  for (let n = 2; taken.has(candidate); n += 1) candidate = `${base}_${n}`;
  return candidate;
}
