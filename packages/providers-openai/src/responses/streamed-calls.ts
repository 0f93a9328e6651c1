import { jsonText } from "@bailiwick/core/provider";
import type { EmitChunk } from "@bailiwick/core/provider";
import type { PreparedTools } from "../prepared-tools.ts";
import type { OutputItem } from "./items.ts";
import { isWrapperName, unwrapCalls } from "./parallel-wrapper.ts";
import { isHostedCall } from "./parts.ts";
import { appendField, type Slot } from "./slots.ts";

/** Shows calls while they are streamed. */
export interface StreamedCalls {
  /** Reports that a call begins, as soon as its name is known. */
  begin(slot: Slot, emit: EmitChunk): void;
  /** Adds a piece of a function's `arguments` or of a custom tool's `input`. */
  add(slot: Slot, field: "arguments" | "input", delta: string, emit: EmitChunk): void;
  /**
   * Reports that a call is complete.
   *
   * @param written - The arguments in the deltas so far; the rest is reported now.
   */
  end(slot: Slot, written: string, emit: EmitChunk): void;
  /** True if an event announced that a call begins. */
  hasBegun(slot: Slot): boolean;
}

/** The part of a call's arguments that deltas have written. */
export function writtenArguments({ item }: Slot): string {
  return jsonText(item["arguments"]) || jsonText(item["input"]);
}

/**
 * Makes the calls of one streamed answer.
 *
 * @param tools - Of the request.
 */
export function streamedCalls(tools: PreparedTools): StreamedCalls {
  const begun = new WeakSet<Slot>();

  const show = (slot: Slot, emit: EmitChunk): void => {
    begun.add(slot);
    emit({
      type: "tool_call_start",
      toolCall: { id: callId(slot), name: tools.readName(jsonText(slot.item["name"])) },
    });
    if (isCustom(slot)) emit({ type: "tool_call_delta", toolCallId: callId(slot), argumentsDelta: '{"input":"' });
  };

  const begin = (slot: Slot, emit: EmitChunk): void => {
    const name = jsonText(slot.item["name"]);
    if (begun.has(slot) || name === "" || isHostedCall(slot.item, tools)) return;
    // The content of a wrapper is known when the wrapper is complete.
    if (isWrapperName(name) && !tools.declares(name)) return;
    show(slot, emit);
  };

  return {
    begin,
    add(slot, field, delta, emit) {
      appendField(slot, field, delta);
      begin(slot, emit);
      if (begun.has(slot)) showText(slot, delta, field === "input", emit);
    },
    end(slot, written, emit) {
      const wrapped = unwrapCalls(slot.item as OutputItem, tools.declares);
      if (wrapped !== undefined) {
        for (const [index, call] of wrapped.entries()) {
          const id = `${callId(slot)}_${index}`;
          emit({ type: "tool_call_start", toolCall: { id, name: tools.readName(call.name) } });
          emit({ type: "tool_call_delta", toolCallId: id, argumentsDelta: call.arguments });
          emit({ type: "tool_call_end", toolCallId: id });
        }
        return;
      }
      if (!begun.has(slot)) show(slot, emit);
      const custom = isCustom(slot);
      const whole = jsonText(slot.item[custom ? "input" : "arguments"]);
      // Some servers send no deltas, or not all of them.
      if (whole.startsWith(written)) showText(slot, whole.slice(written.length), custom, emit);
      if (custom) emit({ type: "tool_call_delta", toolCallId: callId(slot), argumentsDelta: '"}' });
      emit({ type: "tool_call_end", toolCallId: callId(slot) });
    },
    hasBegun: (slot) => begun.has(slot),
  };
}

/** A custom tool's text becomes the one string of a JSON object. */
function showText(slot: Slot, text: string, custom: boolean, emit: EmitChunk): void {
  if (text === "") return;
  const argumentsDelta = custom ? JSON.stringify(text).slice(1, -1) : text;
  emit({ type: "tool_call_delta", toolCallId: callId(slot), argumentsDelta });
}

function isCustom({ item }: Slot): boolean {
  return item["type"] === "custom_tool_call";
}

function callId({ item }: Slot): string {
  return jsonText(item["call_id"]) || jsonText(item["id"]);
}
