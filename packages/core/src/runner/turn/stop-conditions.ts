import type { StopCondition } from "../../contracts/stop-condition.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { checkArgument } from "../../errors/value-checks.ts";

function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new ConfigurationError(
    "INVALID_OPTION",
    `${name}(${value}) would never be a useful limit: give a number above 0.`,
  );
}

/**
 * Stops after a number of turns.
 *
 * @param steps - Turns, from 1.
 * @throws ConfigurationError `INVALID_OPTION` if it is not above 0.
 *
 * @example
 * ```ts
 * import { stepCountIs } from "@bailiwick/core";
 *
 * export const stopWhen = [stepCountIs(5)];
 * ```
 */
export function stepCountIs(steps: number): StopCondition {
  const limit = positive("stepCountIs", steps);
  return (view) => view.steps >= limit;
}

/**
 * Stops after a turn in which a tool was called.
 *
 * @param toolName - Checked against the run's tools when it starts.
 *
 * @example
 * ```ts
 * import { hasToolCall } from "@bailiwick/core";
 *
 * export const stopWhen = hasToolCall("hand_in");
 * ```
 */
export function hasToolCall(toolName: string): StopCondition {
  checkArgument(toolName, "string", "hasToolCall(toolName)");
  const condition: StopCondition = (view) => view.lastToolCalls.some((call) => call.toolName === toolName);
  return Object.assign(condition, { toolNames: [toolName] });
}

/**
 * Stops when the run has used more tokens than this.
 *
 * @param tokens - Input and output together, over all model calls.
 * @throws ConfigurationError `INVALID_OPTION` if it is not above 0.
 *
 * @example
 * ```ts
 * import { tokensExceed } from "@bailiwick/core";
 *
 * export const stopWhen = tokensExceed(50_000);
 * ```
 */
export function tokensExceed(tokens: number): StopCondition {
  const limit = positive("tokensExceed", tokens);
  return (view) => view.usage.totalTokens > limit;
}

/**
 * Stops when the run has cost more than this. While a price is unknown, the condition is never met: use `budget.usd` to
 * refuse models without a price.
 *
 * @param usd - US dollars.
 * @throws ConfigurationError `INVALID_OPTION` if it is not above 0.
 *
 * @example
 * ```ts
 * import { costExceeds } from "@bailiwick/core";
 *
 * export const stopWhen = costExceeds(0.25);
 * ```
 */
export function costExceeds(usd: number): StopCondition {
  const limit = positive("costExceeds", usd);
  return (view) => view.costUsd !== undefined && view.costUsd > limit;
}

/**
 * Stops after the turn in which the run exceeded this age.
 *
 * @param ms - Milliseconds since the run began.
 * @throws ConfigurationError `INVALID_OPTION` if it is not above 0.
 *
 * @example
 * ```ts
 * import { elapsed } from "@bailiwick/core";
 *
 * export const stopWhen = elapsed(30_000);
 * ```
 */
export function elapsed(ms: number): StopCondition {
  const limit = positive("elapsed", ms);
  return (view) => view.elapsedMs > limit;
}
