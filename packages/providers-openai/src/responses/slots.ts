import { isJsonObject, jsonObjects, jsonText } from "@bailiwick/core/provider";
import type { OutputItem } from "./items.ts";

/** An entry of an item's `content` or `summary`. */
export type Content = Record<string, unknown>;

/** One output item while it is streamed. */
export interface Slot {
  item: Record<string, unknown>;
  /** True if the vendor reported that it is complete. */
  done: boolean;
}

/**
 * The items of a streamed answer, by output index: gateways change ids from event to event.
 */
export class Slots {
  readonly #slots: (Slot | undefined)[] = [];

  /** The slot of an event, created by the item's first event. */
  at(event: Readonly<Record<string, unknown>>, type: string): Slot {
    const index =
      typeof event["output_index"] === "number" ? event["output_index"] : Math.max(0, this.#slots.length - 1);
    const known = this.#slots[index];
    if (known !== undefined) return known;
    const slot: Slot = {
      item: { type, ...(typeof event["item_id"] === "string" ? { id: event["item_id"] } : {}) },
      done: false,
    };
    this.#slots[index] = slot;
    return slot;
  }

  /** Sets an item as its own events describe it. */
  set(event: Readonly<Record<string, unknown>>, done: boolean): Slot | undefined {
    const item = event["item"];
    if (!isJsonObject(item)) return undefined;
    const slot = this.at(event, jsonText(item["type"]));
    // Deltas may have arrived earlier; a start event does not contain them.
    slot.item = { ...item, ...(done ? keepMissing(slot.item, item) : keepWritten(slot.item)) };
    slot.done = done;
    return slot;
  }

  /**
   * Items of the final response that no event ended: some gateways leave events out.
   *
   * @param final - Its items. They are used only if they describe the same answer as the events.
   */
  missing(final: readonly OutputItem[]): readonly { readonly output_index: number; readonly item: OutputItem }[] {
    const agrees = this.#slots.every((slot, index) => slot === undefined || slot.item["type"] === final[index]?.type);
    if (!agrees) return [];
    return final.flatMap((item, index) => (this.#slots[index]?.done === true ? [] : [{ output_index: index, item }]));
  }

  /** Slots that no event ended, in order. */
  open(): readonly Slot[] {
    return this.#slots.filter((slot): slot is Slot => slot?.done === false);
  }

  /** Returns the items unchanged, in order. */
  items(): readonly OutputItem[] {
    return this.#slots.flatMap((slot) => (slot === undefined ? [] : [slot.item as OutputItem]));
  }
}

function keepWritten(item: Record<string, unknown>): Record<string, unknown> {
  const written = textFields.filter((key) => item[key] !== undefined && item[key] !== "");
  return Object.fromEntries(written.map((key) => [key, item[key]]));
}

/** Text from deltas that the complete item lacks: some servers end an item without it. */
function keepMissing(item: Record<string, unknown>, complete: Record<string, unknown>): Record<string, unknown> {
  const missing = textFields.filter((key) => holdsText(item[key]) && !holdsText(complete[key]));
  return Object.fromEntries(missing.map((key) => [key, item[key]]));
}

/** Fields that deltas write. */
const textFields = ["arguments", "input", "content", "summary"] as const;

function holdsText(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  return jsonObjects(value).some(
    ({ type, text, refusal }) => jsonText(type) !== "" && (jsonText(text) || jsonText(refusal)) !== "",
  );
}

/**
 * Appends text to a field of a slot's item.
 *
 * @param slot - The slot.
 * @param field - `arguments` or `input`.
 * @param delta - The text.
 */
export function appendField(slot: Slot, field: string, delta: string): void {
  slot.item[field] = jsonText(slot.item[field]) + delta;
}

/**
 * Appends text to one entry of a list in a slot's item.
 *
 * @param slot - The slot.
 * @param list - `content` or `summary`.
 * @param index - Which entry.
 * @param begin - Makes the entry when it is new.
 * @param field - Its field with the text.
 * @param delta - The text.
 */
export function appendEntry(
  slot: Slot,
  list: string,
  index: unknown,
  begin: () => Content,
  field: string,
  delta: string,
): Content {
  const entries = (Array.isArray(slot.item[list]) ? slot.item[list] : []) as (Content | undefined)[];
  slot.item[list] = entries;
  const at = typeof index === "number" ? index : Math.max(0, entries.length - 1);
  const entry = (entries[at] ??= begin());
  entry[field] = jsonText(entry[field]) + delta;
  return entry;
}
