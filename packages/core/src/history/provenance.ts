import type { AssistantPart, HostedToolPart } from "../contracts/content-part.ts";
import type { AssistantMessage, Message } from "../contracts/message.ts";
import type { ToolCall } from "../contracts/tool-call.ts";
import { isEmptyPart, mediaPlaceholder, type Warn } from "./repair.ts";
import { wellFormed, wellFormedJsonText } from "../json/well-formed.ts";
import type { ModelCapabilities, ModelProvider } from "../contracts/model-provider.ts";
import type { Warning } from "../contracts/model-response.ts";

const hostedNoteLimit = 2000;

/**
 * An answer as the target may see it: whole for the model that made it, without reasoning and opaque state for any
 * other. `undefined` if nothing is left to send.
 *
 * @param wireIds - The id of each call, in the order of `toolCalls`.
 */
export function compileAssistant(
  message: AssistantMessage,
  wireIds: readonly string[],
  target: HistoryTarget,
  warn: Warn,
): AssistantMessage | undefined {
  const own = isFromTarget(message, target);
  const toolCalls = message.toolCalls.map((call, index) => compileCall(call, wireIds[index] ?? call.id, own));
  const marked = placeCalls(message, wireIds);
  const content: AssistantPart[] = [];
  for (const part of marked) {
    const compiled = own ? ownPart(part, target, warn) : foreignPart(part, warn);
    if (compiled !== undefined && !isEmptyPart(compiled)) content.push(compiled);
  }
  if (content.length === 0) return undefined;
  const unchanged =
    (own || message.providerState === undefined) &&
    sameItems(content, message.content) &&
    sameItems(toolCalls, message.toolCalls);
  if (unchanged) return message;
  const { providerState, ...rest } = message;
  return { ...rest, ...(own && providerState !== undefined ? { providerState } : {}), content, toolCalls };
}

/** The parts with exactly one marker per call: the n-th marker of an id belongs to the n-th call of that id. */
function placeCalls(message: AssistantMessage, wireIds: readonly string[]): readonly AssistantPart[] {
  if (message.toolCalls.length === 0 && !message.content.some((part) => part.type === "tool_call")) {
    return message.content;
  }
  const open = message.toolCalls.map((call, index) => ({ id: call.id, wireId: wireIds[index] ?? call.id }));
  const parts: AssistantPart[] = [];
  for (const part of message.content) {
    if (part.type !== "tool_call") {
      parts.push(part);
      continue;
    }
    const at = open.findIndex(({ id }) => id === part.toolCallId);
    const [call] = at === -1 ? [] : open.splice(at, 1);
    if (call !== undefined) {
      parts.push(call.wireId === part.toolCallId ? part : { ...part, toolCallId: call.wireId });
    }
  }
  for (const { wireId } of open) parts.push({ type: "tool_call", toolCallId: wireId });
  return parts;
}

function compileCall(call: ToolCall, wireId: string, own: boolean): ToolCall {
  const text = wellFormedJsonText(call.arguments);
  const name = wellFormed(call.name);
  const keepsState = own || call.providerState === undefined;
  if (keepsState && wireId === call.id && text === call.arguments && name === call.name) return call;
  const { providerState, ...rest } = call;
  return {
    ...rest,
    id: wireId,
    name,
    arguments: text,
    ...(own && providerState !== undefined ? { providerState } : {}),
  };
}

function ownPart(part: AssistantPart, target: HistoryTarget, warn: Warn): AssistantPart | undefined {
  if (part.type === "reasoning" && !target.capabilities.replaysReasoning) return dropReasoning(warn);
  return withWellFormedText(part);
}

function foreignPart(part: AssistantPart, warn: Warn): AssistantPart | undefined {
  switch (part.type) {
    case "reasoning":
      return dropReasoning(warn);
    case "hosted_tool":
      return { type: "text", text: hostedNote(part) };
    case "source":
      return undefined;
    case "image":
    case "audio":
    case "file":
      return mediaPlaceholder(part, "it was made by another model");
    default: {
      const { providerState, ...rest } = part;
      return withWellFormedText(providerState === undefined ? part : rest);
    }
  }
}

function dropReasoning(warn: Warn): undefined {
  warn({
    code: "reasoning_dropped",
    message:
      "Reasoning of earlier answers was left out: it can only go back to the model and API that made it, where that API takes it.",
    subject: "reasoning",
  });
  return undefined;
}

/**
 * A hosted call may have had an effect: another model gets a text about it, because it does not accept the vendor's
 * item.
 */
function hostedNote(part: HostedToolPart): string {
  const shown = (value: unknown): string => {
    const text = wellFormed(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
    return text.length > hostedNoteLimit ? `${wellFormed(text.slice(0, hostedNoteLimit))}…` : text;
  };
  const input = part.input === undefined ? "" : ` with ${shown(part.input)}`;
  const outcome =
    part.approvalRequestId !== undefined
      ? " It waits for approval and has not run."
      : part.output === undefined
        ? ""
        : ` ${part.isError === true ? "It failed" : "It returned"}: ${shown(part.output)}`;
  return `[Hosted tool ${part.toolName} was called${input}.${outcome}]`;
}

function withWellFormedText(part: AssistantPart): AssistantPart {
  if (part.type !== "text" && part.type !== "refusal") return part;
  const text = wellFormed(part.text);
  return text === part.text ? part : { ...part, text };
}

function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && beginsWith(left, right);
}

/** The target of a compiled history: one model behind one vendor's API. */
export interface HistoryTarget {
  /** Vendor, such as `openai`. */
  readonly provider: string;
  /** Wire, such as `responses`. */
  readonly api: string;
  /** Model id as requested. */
  readonly model: string;
  /** Features that the model supports, such as images or tool calls. */
  readonly capabilities: ModelCapabilities;
}

/** A history that the target accepts, with warnings about the changes. */
export interface CompiledHistory {
  /** Messages that did not need to change are the same objects. */
  readonly messages: readonly Message[];
  /** Each distinct change once, such as `reasoning_dropped` or `media_omitted`. */
  readonly warnings: readonly Warning[];
}

/**
 * The target for a model.
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

/** True if the target made the message, so that opaque state may be sent back to it. */
export function isFromTarget(message: AssistantMessage, target: HistoryTarget): boolean {
  const { provider, api, model } = message.provenance;
  return provider === target.provider && api === target.api && model === target.model;
}

/** True if a list begins with all the items of another: the identical items, not equal ones. */
export function beginsWith<T>(list: readonly T[], beginning: readonly T[]): boolean {
  if (beginning.length > list.length) return false;
  for (let index = 0; index < beginning.length; index += 1) if (list[index] !== beginning[index]) return false;
  return true;
}
