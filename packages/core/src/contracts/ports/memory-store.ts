import type { Integrity, Label, Readers } from "../label.ts";
import type { Message } from "../message.ts";
import type { RunContext } from "../run-context.ts";
import type { Tool } from "../tool.ts";
import type { MemoryGuardTier, Principal } from "../vocabularies.ts";
import type { Clock } from "./clock.ts";
import type { Hasher } from "./hasher.ts";
import type { Logger } from "./logger.ts";
import type { Sealer } from "./security.ts";
import type { MemoryKind, MemoryRelation } from "./memories.ts";

export type * from "./memories.ts";

/** Options of a memory. */
export interface RememberOptions {
  /** Default `semantic`; a `working` memory is a block of the agent and needs a `name`. */
  readonly kind?: MemoryKind | undefined;
  /** A JSON value that is stored with the text and is not searched. */
  readonly data?: unknown;
  /** The name of the fact, such as `home town`: the earlier fact of this name is superseded, but stays in the store. */
  readonly name?: string | undefined;
  /** Time from which the fact is true, in milliseconds since the epoch. Default: now. */
  readonly validFrom?: number | undefined;
  /** Time until which the fact is true, in milliseconds since the epoch. Default: until it is superseded. */
  readonly validTo?: number | undefined;
  /** Memories that it was derived from: its label is no better than theirs, and it is deleted with any of them. */
  readonly from?: readonly string[] | undefined;
  /** Relations between people and things that the text tells: at most 20, each name with at most 200 characters. */
  readonly relations?: readonly MemoryRelation[] | undefined;
}

/** Options of a recall. */
export interface RecallOptions {
  /** Maximum number of entries; default 8. */
  readonly limit?: number | undefined;
  /** Maximum size of all entries, in tokens; default 1,000. */
  readonly budgetTokens?: number | undefined;
  /** Default: all but `working`. */
  readonly kinds?: readonly MemoryKind[] | undefined;
  /** Returns the facts that were true at this time, in milliseconds since the epoch; default now. */
  readonly asOf?: number | undefined;
}

/** Access of a tool to memory, limited by its `memoryGuardTier`. */
export interface MemoryAccess {
  /**
   * Stores a text with the label of the call; returns its id.
   *
   * @param text - The fact to store.
   * @param options - Kind and name of the entry, and when the fact is true.
   * @throws MemoryGuardDeniedError when the tool's tier forbids it.
   */
  remember(text: string, options?: RememberOptions): Promise<string>;
  /**
   * Returns stored memories that match the query, the most relevant first.
   *
   * @param query - Text to search for.
   * @param options - Largest number of memories (default 8), and which kinds and times count.
   */
  recall(query: string, options?: RecallOptions): Promise<readonly RecalledMemory[]>;
  /**
   * Deletes a memory, the entries that it superseded and those derived from it. The journals of runs that read it still
   * contain it.
   *
   * @param id - Id of the memory, as `remember` or `recall` returned it.
   * @throws MemoryGuardDeniedError when the tool's tier forbids it.
   */
  forget(id: string): Promise<void>;
}

/** A memory that matched a query, with its label. */
export interface RecalledMemory {
  /** Id of the memory. */
  readonly id: string;
  /** The text that the model reads. */
  readonly text: string;
  /** Level of trust of the memory. */
  readonly integrity: Integrity;
  /** Readers that may see the memory. */
  readonly readers: Readers;
  /** The reason why it was found. */
  readonly why: string;
  /** Kind of the memory, such as `semantic`. */
  readonly kind?: MemoryKind | undefined;
  /** Name of the fact, if it has one. */
  readonly name?: string | undefined;
  /** Data that was stored with it. */
  readonly data?: unknown;
  /**
   * `system`: the entry is shown in the system prompt, below the instructions. Untrusted entries are always shown
   * beside the user's message.
   */
  readonly placement?: "context" | "system" | undefined;
}

/** The parts that the runner gives a memory for one run. */
export interface MemoryHost {
  /** Name of the agent. */
  readonly agentName: string;
  /** Takes warnings and errors. */
  readonly logger: Logger;
  /** The clock of the run. */
  readonly clock: Clock;
  /** Computes SHA-256. */
  readonly hasher: Hasher;
  /** Seals entries, with the agent's `keys.seal`. */
  readonly sealer?: Sealer | undefined;
  /** The last record of the run's journal. */
  readonly seq: () => number;
}

/** The call that a tool's memory access is for. */
export interface MemoryCall {
  /** Name of the tool. */
  readonly toolName: string;
  /** Id of the tool call, unique in the run. */
  readonly toolCallId: string;
  /** The rules for memory that apply to the tool. */
  readonly tier: MemoryGuardTier;
  /**
   * Label of the call's input, of everything that it has read so far, and of results that its tool declares untrusted:
   * read it when an entry is stored.
   */
  readonly label: Label;
  /** The principals on whose behalf the call reads. */
  readonly principals: readonly Principal[];
  /** A person has approved this very call. */
  readonly approved?: boolean | undefined;
}

/** The parts that a memory package gives a run. */
export interface MemoryPort {
  /**
   * Recalls memories for the next model call. It is called once for each latest user message. The answer is journaled,
   * so a resumed run sends the same memories.
   *
   * @param ctx - The run.
   * @param messages - The conversation so far.
   * @param host - Name, logger, clock and hasher of the agent.
   */
  contextFor(ctx: RunContext, messages: readonly Message[], host: MemoryHost): Promise<readonly RecalledMemory[]>;
  /**
   * Memory access for one tool call.
   *
   * @param ctx - The run.
   * @param call - The tool call, the rules of its tool, and the label of what it stores.
   * @param host - Name, logger, clock and hasher of the agent.
   */
  accessFor(ctx: RunContext, call: MemoryCall, host: MemoryHost): MemoryAccess;
  /** Tools for the model; every agent that has this memory has them. */
  readonly tools?: readonly Tool[] | undefined;
}
