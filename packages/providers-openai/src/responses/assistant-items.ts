import { isJsonObject, jsonText, parseArguments, wireToolName } from "@bailiwick/core/provider";
import type { AssistantMessage, AssistantPart, ToolCall } from "@bailiwick/core/provider";
import type { ModelContext } from "../model-context.ts";
import { stateOf, type ItemState } from "./items.ts";

/** An item of the input. */
export type InputItem = Record<string, unknown>;

/** An input item, with the data that decides if its id may be sent. */
interface Draft {
  readonly item: InputItem;
  readonly state: ItemState;
  readonly type: string;
}

/**
 * An answer as input items. A reasoning item is sent back only directly before the item that followed it; if one half
 * of such a pair is missing, the other is sent without its id, or is left out if it has no other content.
 */
export function assistantItems(message: AssistantMessage, context: ModelContext): readonly InputItem[] {
  const drafts = draftItems(message, context).map(whole);
  const items: InputItem[] = [];
  const sent = new Set<string>();
  for (const [index, { item, state, type }] of drafts.entries()) {
    if (type === "reasoning") {
      if (!keepsReasoning(drafts, index) || isRepeated(state, sent)) continue;
      if (state.id !== undefined) sent.add(state.id);
      items.push(item);
    } else if (isRepeated(state, sent)) {
      // A server that gives two items one id still has two calls.
      if (state.item === undefined) items.push(item);
    } else if (state.after === undefined || sent.has(state.after)) {
      if (state.id !== undefined) sent.add(state.id);
      items.push(state.id === undefined ? item : { ...item, id: state.id, ...statusOf(type) });
    } else if (state.item === undefined) {
      items.push(item);
    }
  }
  return items;
}

function isRepeated({ id }: ItemState, sent: ReadonlySet<string>): boolean {
  return id !== undefined && sent.has(id);
}

function statusOf(type: string): { readonly status?: "completed" } {
  return type === "message" || type === "function_call" ? { status: "completed" } : {};
}

/** True if reasoning has its encrypted form and its own follower; a follower that is reasoning must be kept itself. */
function keepsReasoning(drafts: readonly Draft[], index: number): boolean {
  const state = drafts[index]?.state;
  const next = drafts[index + 1];
  if (state?.encrypted === undefined || next === undefined) return false;
  if (state.follower !== undefined && state.follower !== (next.state.id ?? next.type)) return false;
  return next.type !== "reasoning" || keepsReasoning(drafts, index + 1);
}

function draftItems(message: AssistantMessage, context: ModelContext): readonly Draft[] {
  const drafts: Draft[] = [];
  const calls = new Map(message.toolCalls.map((call) => [call.id, call]));
  for (const part of message.content) {
    const draft = draftPart(part, calls, context);
    if (draft === undefined) continue;
    const last = drafts.at(-1);
    if (draft.type === "message" && last?.type === "message" && last.state.id === draft.state.id) {
      (last.item["content"] as unknown[]).push(...(draft.item["content"] as unknown[]));
    } else {
      drafts.push(draft);
    }
  }
  return drafts;
}

/**
 * The item as text, if the stream broke before the item or its output ended: the vendor refuses it, and the model has
 * to know of the call, which may have had an effect.
 */
function whole(draft: Draft, _index: number, drafts: readonly Draft[]): Draft {
  const { type, item } = draft;
  const hasEnded = ({ item: other }: Draft): boolean =>
    other["type"] === `${type}_output` && other["call_id"] === item["call_id"] && other["status"] !== broken;
  if (item["status"] !== broken && (!waitsForOutput.has(type) || drafts.some(hasEnded))) return draft;
  return messageDraft({ type: "output_text", text: `[${type} broke off]`, annotations: [] }, {});
}

const broken = "in_progress";

/** Calls that the vendor refuses without their output, and that this adapter does not run. */
const waitsForOutput: ReadonlySet<string> = new Set([
  "shell_call",
  "local_shell_call",
  "apply_patch_call",
  "computer_call",
]);

function draftPart(
  part: AssistantPart,
  calls: ReadonlyMap<string, ToolCall>,
  context: ModelContext,
): Draft | undefined {
  const state = stateOf(part);
  switch (part.type) {
    case "text":
      return messageDraft({ type: "output_text", text: part.text, annotations: [] }, state);
    case "refusal":
      return messageDraft({ type: "refusal", refusal: part.text }, state);
    case "reasoning":
      return { item: reasoningItem(state), state, type: "reasoning" };
    case "tool_call": {
      const call = calls.get(part.toolCallId);
      return call === undefined ? undefined : callDraft(call, context);
    }
    case "source":
      return undefined;
    default: {
      // Hosted tools, generated images, and items that this version does not know: sent unchanged.
      if (state.item === undefined) return undefined;
      const restored = part.type === "image" && !("result" in state.item) ? { result: part.data } : {};
      return { item: { ...state.item, ...restored }, state, type: jsonText(state.item["type"]) };
    }
  }
}

function messageDraft(content: InputItem, state: ItemState): Draft {
  const phase = state.phase === undefined ? {} : { phase: state.phase };
  return { item: { type: "message", role: "assistant", content: [content], ...phase }, state, type: "message" };
}

function reasoningItem({ id, summary, content, encrypted }: ItemState): InputItem {
  return {
    type: "reasoning",
    ...(id === undefined ? {} : { id }),
    summary: summary ?? [],
    ...(content === undefined ? {} : { content }),
    encrypted_content: encrypted,
  };
}

function callDraft(call: ToolCall, context: ModelContext): Draft {
  const state = stateOf(call);
  const name = wireToolName(call.name, context.capabilities.toolName);
  if (state.custom === true) {
    const { input } = parseArguments(call.arguments);
    const text = isJsonObject(input) && typeof input["input"] === "string" ? input["input"] : call.arguments;
    const item = { type: "custom_tool_call", call_id: call.id, name, input: text, ...originOf(state) };
    return { item, state, type: "custom_tool_call" };
  }
  const item = {
    type: "function_call",
    call_id: call.id,
    name,
    arguments: call.arguments || "{}",
    ...originOf(state),
  };
  return { item, state, type: "function_call" };
}

/** Fields that are sent back unchanged: otherwise the vendor refuses with "Missing namespace for function_call". */
function originOf({ namespace, caller }: ItemState): InputItem {
  return { namespace, caller };
}
