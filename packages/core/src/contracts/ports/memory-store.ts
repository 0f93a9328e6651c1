import type { Message } from "../message.ts";
import type { RunContext } from "../run-context.ts";
import type { MemoryGuardTier, Principal } from "../vocabularies.ts";
import type { Integrity, Label, Readers } from "../label.ts";

/** What a tool may do with memory, bound by its `memoryGuardTier`. */
export interface MemoryAccess {
  remember(text: string, options?: { readonly kind?: string; readonly data?: unknown }): Promise<string>;
  recall(query: string, options?: { readonly limit?: number }): Promise<readonly RecalledMemory[]>;
  forget(id: string): Promise<void>;
}

/** A memory that answered a query, with its label. */
export interface RecalledMemory {
  readonly id: string;
  readonly text: string;
  readonly integrity: Integrity;
  readonly readers: Readers;
  /** Why it was found. */
  readonly why: string;
}

/** What a memory package gives a run. */
export interface MemoryPort {
  /** Context for the next model call: one message before the latest user message, or none. */
  contextFor(ctx: RunContext, messages: readonly Message[]): Promise<readonly RecalledMemory[]>;
  /**
   * Memory access for one tool call. `label` is the join of the call's arguments: what is written is kept with its
   * integrity and readers, and recalled with them.
   */
  accessFor(
    ctx: RunContext,
    call: {
      readonly toolName: string;
      readonly toolCallId: string;
      readonly tier: MemoryGuardTier;
      readonly label: Label;
      readonly principals: readonly Principal[];
    },
  ): MemoryAccess;
}
