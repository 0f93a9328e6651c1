import type { ContextCompactorConfig } from "../contracts/context-config.ts";
import type { Message } from "../contracts/message.ts";
import type { TokenEstimator } from "./token-estimate.ts";

// This file loads with the first cut. It imports types only.

/** Messages that are kept or cut together: an answer with the results of its calls, or a single message. */
interface Unit {
  readonly end: number;
  readonly tokens: number;
}

/**
 * Finds where to cut so that the rest fits. The cut is never between a call and its result, and never inside the last
 * unit, which contains calls that wait for a person.
 *
 * @param from - Index of the first message that is still shown.
 * @param budget - Tokens that may stay.
 * @returns the index of the last message to leave out; undefined when nothing more can be left out.
 */
export function findCut(
  messages: readonly Message[],
  from: number,
  budget: number,
  estimate: TokenEstimator,
): number | undefined {
  const units = unitsOf(messages, from, estimate);
  let tokens = units.reduce((sum, unit) => sum + unit.tokens, 0);
  let cut: number | undefined;
  for (const unit of units.slice(0, -1)) {
    if (tokens <= budget) break;
    tokens -= unit.tokens;
    cut = unit.end;
  }
  return cut;
}

function unitsOf(messages: readonly Message[], from: number, estimate: TokenEstimator): readonly Unit[] {
  const units: Unit[] = [];
  for (let index = from; index < messages.length;) {
    const message = messages[index];
    if (message === undefined) break;
    const open = new Set(message.role === "assistant" ? message.toolCalls.map(({ id }) => id) : []);
    let tokens = estimate.message(message);
    let end = index;
    // All messages between a call and its last result belong to the unit.
    for (let next = index + 1; open.size > 0 && next < messages.length; next += 1) {
      const result = messages[next];
      if (result === undefined || (result.role === "assistant" && result.toolCalls.length > 0)) break;
      if (result.role === "tool") open.delete(result.toolCallId);
      for (let inside = end + 1; inside <= next; inside += 1) {
        const member = messages[inside];
        if (member !== undefined) tokens += estimate.message(member);
      }
      end = next;
    }
    units.push({ end, tokens });
    index = end + 1;
  }
  return units;
}

/** Old tool results are shortened before history is cut, if history matters more. */
export function elidesFirst(config: ContextCompactorConfig): boolean {
  const order = config.priorityOrder;
  if (order === undefined) return config.strategy === "hybrid";
  const place = (section: "tools" | "recentHistory"): number => {
    const index = order.indexOf(section);
    return index < 0 ? order.length : index;
  };
  return place("tools") > place("recentHistory");
}

/** The last tool result before the last answer: the model has already used it. */
export function lastSettledResult(messages: readonly Message[]): string | undefined {
  const lastAnswer = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(0, Math.max(0, lastAnswer)).findLast(({ role }) => role === "tool")?.id;
}
