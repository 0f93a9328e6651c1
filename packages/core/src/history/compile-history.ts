import type { Message } from "../contracts/message.ts";
import { createHistoryCompiler } from "./history-compiler.ts";
import type { CompiledHistory, HistoryTarget } from "./provenance.ts";

/**
 * Makes any history valid for a model: each call has exactly one result directly after it, ids fit and are unique,
 * opaque state and reasoning go only to the model that made them, and everything that the model does not accept is
 * removed. Pure; use {@link createHistoryCompiler} for a history that grows.
 *
 * @param messages - The canonical history.
 * @param target - The model that it is for.
 * @example
 * ```ts
 * import { compileHistory, historyTarget } from "@bailiwick/core/provider";
 * import type { Message, ModelProvider } from "@bailiwick/core";
 *
 * export function ask(model: ModelProvider, messages: readonly Message[]) {
 *   const history = compileHistory(messages, historyTarget(model));
 *   return model.generate({ messages: history.messages });
 * }
 * ```
 */
export function compileHistory(messages: readonly Message[], target: HistoryTarget): CompiledHistory {
  return createHistoryCompiler(target).compile(messages);
}
