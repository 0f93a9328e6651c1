import type { AssistantMessage, Message } from "../contracts/message.ts";
import type { ModelCapabilities, ModelProvider } from "../contracts/model-provider.ts";
import type { Warning } from "../contracts/model-response.ts";

/** The target of a compiled history: one model behind one vendor's API. */
export interface HistoryTarget {
  /** Vendor, such as `openai`. */
  readonly provider: string;
  /** Wire, such as `responses`. */
  readonly api: string;
  /** Model id as requested. */
  readonly model: string;
  readonly capabilities: ModelCapabilities;
}

/** A history that the target accepts, with warnings about the changes. */
export interface CompiledHistory {
  /** Messages whose content did not need to change are the very objects that were given. */
  readonly messages: readonly Message[];
  /** Each distinct change once, such as `reasoning_dropped` or `media_omitted`. */
  readonly warnings: readonly Warning[];
}

/**
 * The target that a model is.
 *
 * @param model - The model that the history is for.
 * @example
 * ```ts
 * import { compileHistory, historyTarget } from "@bailiwick/core/provider";
 * import type { Message, ModelProvider } from "@bailiwick/core";
 *
 * export function ask(model: ModelProvider, messages: readonly Message[]) {
 *   return model.generate({ messages: compileHistory(messages, historyTarget(model)).messages });
 * }
 * ```
 */
export function historyTarget(model: ModelProvider): HistoryTarget {
  return { provider: model.provider, api: model.api, model: model.modelId, capabilities: model.capabilities };
}

/**
 * True if the target made the message, so that opaque state may be sent back to it.
 *
 * @param message - An answer of some model.
 * @param target - The model that gets the message.
 */
export function isFromTarget(message: AssistantMessage, target: HistoryTarget): boolean {
  const { provider, api, model } = message.provenance;
  return provider === target.provider && api === target.api && model === target.model;
}

/** True if a list begins with all the items of another: with the same ones, not with equal ones. */
export function beginsWith<T>(list: readonly T[], beginning: readonly T[]): boolean {
  if (beginning.length > list.length) return false;
  for (let index = 0; index < beginning.length; index += 1) if (list[index] !== beginning[index]) return false;
  return true;
}
