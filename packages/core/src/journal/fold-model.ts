import { measuredRatio } from "../context/token-ratio.ts";
import type { JournalEventOf } from "../contracts/journal-event.ts";
import { callKey, type RunState } from "./run-state.ts";
import type { AssistantPart } from "../contracts/content-part.ts";
import type { AssistantMessage } from "../contracts/message.ts";
import type { AgentUsage } from "../contracts/run-output.ts";
import type { TokenUsage } from "../contracts/token-usage.ts";

/** Applies an answer: usage always; the conversation and its calls only for an answer of the conversation. */
export function foldModelResult(state: RunState, event: JournalEventOf<"model.result">): void {
  addModelCall(state, event);
  if (event.purpose !== undefined && event.purpose !== "turn") return;
  state.tokenRatio = measuredRatio(state.openModelCall?.estimatedTokens, event.usage) ?? state.tokenRatio;
  state.openModelCall = undefined;
  state.backgroundId = undefined;
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
  const { formerReaders } = state;
  state.formerReaders = [];
  message.toolCalls.forEach((call, index) => {
    const key = callKey(event.turn, index);
    state.turnCalls.push(key);
    state.calls.set(key, {
      turn: event.turn,
      index,
      toolCallId: call.id,
      toolName: call.name,
      exact: event.exactArguments?.find((one) => one.index === index),
      // Fields that every call gets later are set here, so that all calls have one shape.
      call: undefined,
      outcome: undefined,
      result: undefined,
      ...(formerReaders.includes(call.name) && { formerReader: true }),
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
  // The intent of the next attempt counts the one that failed.
  if (event.purpose !== "restarted") state.modelCalls += 1;
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
 * within one; the new id depends only on turn and place, so a reload makes the same one.
 *
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

const optionalCounts = [
  "reasoningTokens",
  "cachedTokens",
  "cacheWriteTokens",
  "vendorRequests",
  "longCacheWriteTokens",
  "audioInputTokens",
  "cachedAudioTokens",
  "audioOutputTokens",
] as const;

/** The usage of a run before its first model call. */
export const noUsage: TokenUsage = Object.freeze({ inputTokens: 0, outputTokens: 0, totalTokens: 0 });

/** Sums two usages. A count that neither has stays absent; the vendor's own object is taken from the later one. */
export function addUsage(sum: TokenUsage, next: TokenUsage): TokenUsage {
  const total: { -readonly [Key in keyof TokenUsage]: TokenUsage[Key] } = {
    inputTokens: sum.inputTokens + next.inputTokens,
    outputTokens: sum.outputTokens + next.outputTokens,
    totalTokens: sum.totalTokens + next.totalTokens,
  };
  for (const name of optionalCounts) {
    const before = sum[name];
    const after = next[name];
    if (before !== undefined || after !== undefined) total[name] = (before ?? 0) + (after ?? 0);
  }
  if (sum.hostedCalls !== undefined || next.hostedCalls !== undefined)
    total.hostedCalls = addCalls(sum.hostedCalls ?? {}, next.hostedCalls ?? {});
  const metrics = next.providerMetrics ?? sum.providerMetrics;
  if (metrics !== undefined) total.providerMetrics = metrics;
  return total;
}

function addCalls(
  sum: Readonly<Record<string, number>>,
  next: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...new Set([...Object.keys(sum), ...Object.keys(next)])].map((name) => [
      name,
      (sum[name] ?? 0) + (next[name] ?? 0),
    ]),
  );
}

/** Adds to a sum of costs, which is unknown if any price was unknown. */
export function addCost(sum: number | undefined, next: number | undefined): number | undefined {
  return sum === undefined || next === undefined ? undefined : sum + next;
}

/** Adds usage by agent to a list, by name and in order of the first call. */
export function addAgentUsage(list: readonly AgentUsage[], added: readonly AgentUsage[]): AgentUsage[] {
  const byName = new Map(list.map((one) => [one.agentName, one]));
  for (const one of added) {
    const { agentName, usage, costUsd } = one;
    const known = byName.get(agentName);
    byName.set(
      agentName,
      known === undefined
        ? { agentName, usage, costUsd }
        : { agentName, usage: addUsage(known.usage, usage), costUsd: addCost(known.costUsd, costUsd) },
    );
  }
  return [...byName.values()];
}
