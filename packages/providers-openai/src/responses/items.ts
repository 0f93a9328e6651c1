import type { JsonValue } from "@bailiwick/core/provider";

/** An output item of OpenAI; only the fields that are read here are named. */
export interface OutputItem {
  readonly type: string;
  readonly id?: string | undefined;
  readonly [key: string]: unknown;
}

/** The stored item of a part, to be sent back. */
export interface ItemState {
  /** Item id; absent if a gateway sent none. */
  readonly id?: string | undefined;
  /** The reasoning item before it in its answer: its id may only be sent back together with that item. */
  readonly after?: string | undefined;
  /** `commentary` or `final_answer`. */
  readonly phase?: string | undefined;
  /** The whole item, for hosted tools and items that this version does not know. */
  readonly item?: { readonly [key: string]: JsonValue } | undefined;
  /** Reasoning: its summary parts, unchanged. */
  readonly summary?: readonly JsonValue[] | undefined;
  /** Reasoning: readable reasoning, unchanged. */
  readonly content?: readonly JsonValue[] | undefined;
  /** Reasoning: the encrypted form. */
  readonly encrypted?: string | undefined;
  /** Reasoning: id or type of the item that must follow directly. */
  readonly follower?: string | undefined;
  /** A call of a custom tool, whose input is free text. */
  readonly custom?: boolean | undefined;
  /** A call of a tool in a namespace: the vendor refuses it without the namespace. */
  readonly namespace?: string | undefined;
  /** A call that the vendor's program made: its result names the program too. */
  readonly caller?: JsonValue | undefined;
}

/** The state that a part or a call carries, if it carries one. */
export function stateOf(holder: { readonly providerState?: JsonValue | undefined }): ItemState {
  const state = holder.providerState;
  return typeof state === "object" && state !== null && !Array.isArray(state) ? (state as ItemState) : {};
}

/** State in its stored form: without undefined members, so that it survives JSON unchanged. */
export function keepState(state: ItemState): JsonValue {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)) as JsonValue;
}
