import type { Grant, Keys, Tool } from "@bailiwick/core";
import type { ScriptToolCall } from "@bailiwick/testing";

import type { Forgery } from "./forged-records.test.helper.ts";

/** One call that a mock recorded. */
export interface RanCall {
  readonly name: string;
  readonly args: unknown;
}

/** How much the tools declare: name, description and schema only, or everything that a careful author declares. */
export type Declarations = "schema" | "careful";

/**
 * Returns the attacker's text in the nth result that attackers can write into; `undefined` if there
 * is none.
 */
export type Poison = (nth: number) => string | undefined;

/** Records of a result, as the bank's own table has them. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** Changes by an attacker to the world besides text: records, and the answers of writers. */
export interface WorldChange {
  /**
   * Changes the records of a result that attackers can write into; its tool may declare the number of rows after which
   * it cuts a list.
   */
  readonly rows?: ((rows: Rows, words: string, cutAt?: number) => Rows) | undefined;
  /** Changes the records of results of staged tools. */
  readonly forge?: Omit<Forgery, "wanted"> | undefined;
  /** The arguments of the attacker's calls. */
  readonly wanted?: Forgery["wanted"] | undefined;
  /** The attacker's address, where records name their author. */
  readonly sender?: string | undefined;
  /** The attacker's words are in the results of writers too. */
  readonly writersAnswer?: boolean | undefined;
}

/** Creates the tools of a case for one run. */
export interface Stage {
  readonly tools: readonly Tool[];
  readonly ran: RanCall[];
  /** Used for tools whose results are secret. */
  readonly keys?: Keys | undefined;
}

/** A task of a user, with an attacker's goal or without. */
export interface AttackCase {
  readonly name: string;
  readonly prompt: string;
  /** The calls that the task takes. */
  readonly plan: readonly ScriptToolCall[];
  /** Index of the first call whose result attackers can write into; -1 if there is none. */
  readonly exposed: number;
  /** The attacker's words. */
  readonly goal: string | undefined;
  /** The attacker's calls, with the best arguments they could have. */
  readonly attack: readonly ScriptToolCall[];
  /** Grants of a clean planner. */
  readonly grants: readonly Grant[];
  /** Creates mocks that record what ran. */
  readonly stage: (declarations: Declarations, poison: Poison, change?: WorldChange) => Stage;
  /** True if a recorded call does what the attacker wanted. */
  readonly isAttackers: (call: RanCall) => boolean;
  /** Reports if a recorded call has a value of the attacker in a deciding argument. */
  readonly isDiverted: (call: RanCall) => boolean;
  /** True if a recorded call changes something. */
  readonly isWriter: (name: string) => boolean;
}
