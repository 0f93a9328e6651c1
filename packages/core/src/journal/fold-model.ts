import type { JournalEventOf } from "../contracts/journal-event.ts";
import { addCost, addUsage } from "./add-usage.ts";
import { callKey } from "./event-keys.ts";
import { rekeyCalls } from "./rekey-calls.ts";
import type { RunState } from "./run-state.ts";

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
      // What every call comes to have: said here, so that all calls have one shape.
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

/** An answer that broke off stays in the conversation as far as it came; its calls never ran and never will. */
function foldPartial(state: RunState, event: JournalEventOf<"model.result">): void {
  const { message } = event;
  const content = message.content.filter((part) => part.type !== "tool_call");
  if (content.length === 0) return;
  const partial = { ...message, content, toolCalls: [], partial: true };
  state.messages.push(partial);
  state.lastAnswer = partial;
}
