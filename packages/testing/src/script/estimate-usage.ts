import type { ScriptRequest } from "./script-request.ts";
import type { ResolvedPart, ResolvedTurn } from "./resolved-turn.ts";

/** Complete token counts of an answer. */
export interface ResolvedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
}

/**
 * Counts an answer's tokens at four characters per token, the same for the same request; numbers of the step win.
 *
 * @param request - The request.
 * @param turn - The answer.
 */
export function estimateUsage(request: ScriptRequest, turn: ResolvedTurn): ResolvedUsage {
  const given = turn.step.usage ?? {};
  const reasoningTokens =
    given.reasoningTokens ?? tokens(sum(turn.parts, (part) => (part.type === "reasoning" ? part.text.length : 0)));
  const answered = tokens(sum(turn.parts, (part) => (part.type === "reasoning" ? 0 : partLength(part))));
  return {
    inputTokens: given.inputTokens ?? inputTokens(request) + (given.cachedTokens ?? 0) + (given.cacheWriteTokens ?? 0),
    outputTokens: given.outputTokens ?? answered + reasoningTokens,
    reasoningTokens,
    cachedTokens: given.cachedTokens ?? 0,
    cacheWriteTokens: given.cacheWriteTokens ?? 0,
  };
}

function inputTokens(request: ScriptRequest): number {
  const messages = sum(
    request.messages,
    (message) => message.text.length + sum(message.toolCalls, (call) => call.name.length + call.arguments.length),
  );
  const tools = sum(request.tools, (tool) => JSON.stringify(tool).length);
  return tokens(request.system.length + messages + tools);
}

function partLength(part: ResolvedPart): number {
  if (part.type === "tool_call") return part.name.length + part.argumentsText.length;
  return part.type === "text" || part.type === "refusal" ? part.text.length : 0;
}

function tokens(characters: number): number {
  return Math.ceil(characters / 4);
}

function sum<T>(items: readonly T[], size: (item: T) => number): number {
  return items.reduce((total, item) => total + size(item), 0);
}
