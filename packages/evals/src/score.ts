import type { JournalEvent, Keys, RunOutput, RunStore } from "@bailiwick/core";
import type { NamedCase } from "./case.ts";

/** The score of one run. */
export interface Score {
  /** From 0 to 1. */
  readonly value: number;
  /** Reason for people, printed for each case that is not perfect. */
  readonly reason?: string | undefined;
  /** More facts about the score. */
  readonly details?: unknown;
  /** The amount that the score is about, such as a cost. */
  readonly measured?: { readonly amount: number; readonly unit: string } | undefined;
  /** Cost of the score itself in US dollars, for a judge. */
  readonly costUsd?: number | undefined;
}

/** A call of a tool that changes something, answered by a fake. */
export interface ScoredEffect {
  /** Name of the tool. */
  readonly tool: string;
  /** The executed arguments. */
  readonly args: unknown;
  /** The key that the service would get. */
  readonly idempotencyKey: string | undefined;
  /** The error of the fake, if it threw one. */
  readonly failed?: string | undefined;
}

/** A call of any tool. */
export interface ScoredCall extends ScoredEffect {
  /** True if the tool or its fake was called; false if the call was refused or rejected. */
  readonly executed: boolean;
  /** True if the tool may change something. */
  readonly writes: boolean;
}

/** A question to a person. */
export interface ScoredQuestion {
  /** Name of the tool. */
  readonly tool: string;
  /** Kind of the question, such as `approval`. */
  readonly kind: string;
  /** The decision; absent if the question is open. */
  readonly decision?: string | undefined;
}

/** A run of a case, as scorers get it: read from its journal, with the runs inside its calls. */
export interface ScoredRun {
  /** The case. */
  readonly case: NamedCase;
  /** Name of the candidate. */
  readonly candidate: string;
  /** Number of the repeat, from 1. */
  readonly repeat: number;
  /** Output of the run; of the last one in a conversation. */
  readonly output: RunOutput;
  /** Records of the run and of the runs inside its calls. */
  readonly events: readonly JournalEvent[];
  /** Every call of a tool, in order. */
  readonly calls: readonly ScoredCall[];
  /** Calls of tools that change something; a repetition with the same key counts once. */
  readonly effects: readonly ScoredEffect[];
  /** Questions to people. */
  readonly questions: readonly ScoredQuestion[];
  /** Cost in US dollars; `undefined` if a price is unknown. */
  readonly costUsd: number | undefined;
  /** Input and output tokens. */
  readonly tokens: number;
  /** Milliseconds during which the run was driven. */
  readonly ms: number;
  /** Turns of the run. */
  readonly turns: number;
}

/** The place where a scorer may keep its own runs. */
export interface ScorerPlace {
  /** Store of the evaluation. */
  readonly store: RunStore;
  /** Keys that seal and sign the scored run. */
  readonly keys?: Keys | undefined;
}

/**
 * Scores a run. A plain function is a scorer, and its `name` is the column. `undefined`: the scorer does not apply to the
 * case. A scorer that throws leaves the run without a score, and the verdict says so.
 *
 * @param run - The run, with its case.
 * @param place - Store and keys, for scorers that make runs.
 */
export type Scorer = (
  run: ScoredRun,
  place: ScorerPlace,
) => Score | number | boolean | undefined | Promise<Score | number | boolean | undefined>;

/** The result of a scorer for a run: a score, or the reason why there is none. */
export type ScoreState = "scored" | "notApplicable" | "notScored" | "notRun";

/** One score, or its absence. */
export interface ScoreRow {
  /** The case. */
  readonly case: string;
  /** The candidate. */
  readonly candidate: string;
  /** Number of the repeat, from 1. */
  readonly repeat: number;
  /** Name of the scorer. */
  readonly scorer: string;
  /** Run that was scored; `undefined` if it did not run. */
  readonly runId: string | undefined;
  /** Kind of the result. */
  readonly state: ScoreState;
  /** The score; `undefined` unless the state is `scored`. */
  readonly value: number | undefined;
  /** Reason for people. */
  readonly reason: string | undefined;
  /** The amount that the score is about. */
  readonly measured: Score["measured"];
  /** Cost of a judge in US dollars. */
  readonly costUsd: number | undefined;
}

/** Gives a function the name that its column has. */
export function named<Function extends Scorer>(name: string, scorer: Function): Function {
  return Object.defineProperty(scorer, "name", { value: name });
}
