import { isJsonObject, jsonText } from "@bailiwick/core/provider";
import { isHostedCall, type AnswerBlock } from "./blocks.ts";

/** One content block while it is streamed. */
export interface Slot {
  readonly block: Record<string, unknown>;
  /** Text of a call's input so far. */
  inputText: string;
  /** True if the vendor said that it is complete. */
  done: boolean;
}

/** Fields that deltas add to, by the delta's type. */
const fields: Readonly<Record<string, string>> = { text_delta: "text", thinking_delta: "thinking" };

/** The blocks of a streamed answer, in the order in which they began. */
export class Slots {
  readonly #slots: Slot[] = [];
  readonly #byIndex = new Map<unknown, Slot>();

  /**
   * Begins the block of an event. If another stream was spliced in, it counts from zero again: a completed position is
   * reused.
   */
  begin(event: Readonly<Record<string, unknown>>): Slot | undefined {
    const block = event["content_block"];
    if (!isJsonObject(block)) return undefined;
    const open = this.#byIndex.get(event["index"]);
    // The same block announced twice.
    if (open !== undefined && !open.done && open.block["type"] === block["type"] && open.block["id"] === block["id"])
      return undefined;
    const slot: Slot = { block: { ...block }, inputText: "", done: false };
    this.#slots.push(slot);
    this.#byIndex.set(event["index"], slot);
    return slot;
  }

  /** The slot of an event; created if its start event was lost. */
  at(event: Readonly<Record<string, unknown>>, type: string): Slot {
    const known = this.#byIndex.get(event["index"]);
    if (known !== undefined) return known;
    return this.begin({ ...event, content_block: { type } }) as Slot;
  }

  /** The slot of an event that ends one. */
  end(event: Readonly<Record<string, unknown>>): Slot | undefined {
    const slot = this.#byIndex.get(event["index"]);
    if (slot === undefined || slot.done) return undefined;
    slot.done = true;
    return slot;
  }

  /** Slots that were not ended. */
  open(): readonly Slot[] {
    return this.#slots.filter(({ done }) => !done);
  }

  /** Returns the blocks unchanged. */
  blocks(): readonly AnswerBlock[] {
    return this.#slots.flatMap((slot) => wholeBlock(slot) ?? []);
  }
}

/**
 * Adds a delta to its block.
 *
 * @param slot - The block.
 * @param delta - As the vendor sent it.
 */
export function addDelta(slot: Slot, delta: Readonly<Record<string, unknown>>): void {
  const type = jsonText(delta["type"]);
  switch (type) {
    case "input_json_delta":
      slot.inputText += jsonText(delta["partial_json"]);
      return;
    case "signature_delta":
      slot.block["signature"] = delta["signature"];
      return;
    case "citations_delta":
      slot.block["citations"] = [
        ...(Array.isArray(slot.block["citations"]) ? slot.block["citations"] : []),
        delta["citation"],
      ];
      return;
  }
  const field = fields[type];
  if (field !== undefined) {
    slot.block[field] = jsonText(slot.block[field]) + jsonText(delta[field]);
    return;
  }
  // An unknown kind: its content belongs to the field of that name.
  for (const [key, value] of Object.entries(delta)) {
    if (key !== "type") slot.block[key] = typeof value === "string" ? jsonText(slot.block[key]) + value : value;
  }
}

/** The block of a slot; `undefined` for a hosted call whose input broke off. */
function wholeBlock({ block, inputText, done }: Slot): AnswerBlock | undefined {
  if (block["type"] === "tool_use") return { block, inputText: callText(block, inputText) };
  if (!isHostedCall(block)) return { block };
  if (inputText === "") return done ? { block } : undefined;
  try {
    return { block: { ...block, input: JSON.parse(inputText) as unknown } };
  } catch {
    return undefined;
  }
}

/**
 * The text of a call's input: the streamed text, else the complete input of the start event.
 *
 * @param block - The call.
 * @param streamed - The text of the deltas.
 */
export function callText(block: Readonly<Record<string, unknown>>, streamed: string): string {
  return streamed === "" ? JSON.stringify(block["input"] ?? {}) : streamed;
}
