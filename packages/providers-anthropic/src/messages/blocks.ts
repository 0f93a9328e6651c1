import { isJsonObject } from "@bailiwick/core/provider";
import type { JsonValue } from "@bailiwick/core/provider";
import type { Block } from "../cache-breakpoints.ts";

/** A content block of an answer, and the text of a streamed call's input. */
export interface AnswerBlock {
  readonly block: Block;
  /** Input as the model wrote it. */
  readonly inputText?: string | undefined;
}

/** The parts of a block that are kept to send it back. */
export interface BlockState {
  /** Thinking: the vendor's signature. */
  readonly signature?: string | undefined;
  /** Thinking that cannot be read. */
  readonly redacted?: string | undefined;
  /** Text: its citations, unchanged. */
  readonly citations?: readonly JsonValue[] | undefined;
  /** A call: its author, if the vendor's code made it. */
  readonly caller?: JsonValue | undefined;
  /** Whole blocks, for hosted tools and blocks that this version does not know. */
  readonly blocks?: readonly Block[] | undefined;
  /** The part only shows the content of other blocks: it is not sent. */
  readonly shown?: true | undefined;
}

/** The state that a part or a call carries, if it carries one. */
export function stateOf(holder: { readonly providerState?: JsonValue | undefined }): BlockState {
  return isJsonObject(holder.providerState) ? holder.providerState : {};
}

/**
 * State in its stored form: without undefined members, so that it survives JSON unchanged; `undefined` if it is
 * empty.
 */
export function keepState(state: BlockState): { readonly providerState?: JsonValue } {
  const entries = Object.entries(state).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? {} : { providerState: Object.fromEntries(entries) as JsonValue };
}

/**
 * True if an answer stopped only for the request that continues it: a long turn of the vendor's tools, or a compaction
 * with `pause_after_compaction` (https://platform.claude.com/docs/en/build-with-claude/compaction).
 *
 * @param stopReason - The vendor's.
 */
export function isPause(stopReason: unknown): boolean {
  return stopReason === "pause_turn" || stopReason === "compaction";
}

/** True if a block is a call that the vendor runs itself. */
export function isHostedCall(block: Block): boolean {
  return block["type"] === "server_tool_use" || block["type"] === "mcp_tool_use";
}

/** True if a block is the result of such a call. */
export function isHostedResult(block: Block): boolean {
  return String(block["type"]).endsWith("_tool_result") && typeof block["tool_use_id"] === "string";
}
