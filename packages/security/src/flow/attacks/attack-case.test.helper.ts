import type { Grant, Keys, Tool } from "@bailiwick/core";
import type { ScriptToolCall } from "@bailiwick/testing";

/** What a mock recorded. */
export interface RanCall {
  readonly name: string;
  readonly args: unknown;
}

/** How much the authors of the tools said: nothing but name, description and schema, or what a careful one would. */
export type Declarations = "schema" | "careful";

/** What stands in the nth result that attackers can write into; nothing where they wrote nothing. */
export type Poison = (nth: number) => string | undefined;

/** The tools of a case, put up for one run. */
export interface Stage {
  readonly tools: readonly Tool[];
  readonly ran: RanCall[];
  /** For tools whose results are secret. */
  readonly keys?: Keys | undefined;
}

/** A task of a user, with an attacker's goal or without. */
export interface AttackCase {
  readonly name: string;
  readonly prompt: string;
  /** The calls that the task takes. */
  readonly plan: readonly ScriptToolCall[];
  /** Index of the first call whose result attackers can write into; -1 where there is none. */
  readonly exposed: number;
  /** The attacker's words. */
  readonly goal: string | undefined;
  /** The attacker's calls, with the best arguments they could have. */
  readonly attack: readonly ScriptToolCall[];
  /** What a clean planner would grant. */
  readonly grants: readonly Grant[];
  /** Puts up mocks that record what ran. */
  readonly stage: (declarations: Declarations, poison: Poison) => Stage;
  /** Whether a recorded call does what the attacker wanted. */
  readonly isAttackers: (call: RanCall) => boolean;
  /** Whether a recorded call changes something. */
  readonly isWriter: (name: string) => boolean;
}
