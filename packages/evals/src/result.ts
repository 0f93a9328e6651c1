import type { ScoreRow } from "./score.ts";
import type { Agreement } from "./statistics/agreement.ts";
import type { Comparison } from "./statistics/compare.ts";
import type { Estimate } from "./statistics/interval.ts";

/** `undecided`: a condition could not be judged, because a score is missing. */
export type Verdict = "passed" | "failed" | "undecided";

/** The scores of a scorer for a candidate. `scored`, `notApplicable`, `notScored` and `notRun` add up to `runs`. */
export interface ScorerSummary {
  /** Name of the scorer. */
  readonly scorer: string;
  /** Name of the candidate. */
  readonly candidate: string;
  /** True if every run must have 1. */
  readonly must: boolean;
  /** Number of planned runs. */
  readonly runs: number;
  /** Runs with a score. */
  readonly scored: number;
  /** Runs with the score 1. */
  readonly perfect: number;
  /** Runs of cases that the scorer does not apply to. */
  readonly notApplicable: number;
  /** Runs whose score could not be made. */
  readonly notScored: number;
  /** Runs that did not take place. */
  readonly notRun: number;
  /** Number of cases that are left out of the mean, because a score is missing. */
  readonly casesLeftOut: number;
  /** Mean over the cases, with its interval; `undefined` without a score. */
  readonly estimate: Estimate | undefined;
  /** Sum of the measured amounts. */
  readonly measured: { readonly sum: number; readonly unit: string } | undefined;
  /** Cost of a judge in US dollars. */
  readonly costUsd: number | undefined;
  /** Agreement of a judge with people; `undefined` without calibration. */
  readonly agreement: Agreement | undefined;
}

/** A comparison of a candidate with the baseline. */
export interface NamedComparison extends Comparison {
  /** Name of the scorer. */
  readonly scorer: string;
  /** Name of the candidate. */
  readonly candidate: string;
  /** Name of the baseline: a candidate, or a file. */
  readonly baseline: string;
}

/** A case with a candidate. */
export interface CaseResult {
  /** The case. */
  readonly case: string;
  /** The candidate. */
  readonly candidate: string;
  /** Scores of its runs. */
  readonly rows: readonly ScoreRow[];
  /** Repeats in which every scorer that applied gave 1. */
  readonly passed: number;
  /** Repeats with a score of every scorer that applied. */
  readonly judged: number;
  /** True if some repeats passed and some did not. */
  readonly flaky: boolean;
}

/** The result of an evaluation. */
export interface EvaluationResult {
  /** Name of the evaluation. */
  readonly name: string;
  /** `passed`, `failed`, or `undecided` if it could not be judged. */
  readonly verdict: Verdict;
  /** Sentences: conditions that failed or could not be judged, and the reason. */
  readonly reasons: readonly string[];
  /** Facts that weaken the verdict, such as a judge without calibration. */
  readonly warnings: readonly string[];
  /** The report for a terminal. */
  readonly text: string;
  /** The scores by scorer and candidate. */
  readonly scores: readonly ScorerSummary[];
  /** The scores by case and candidate. */
  readonly cases: readonly CaseResult[];
  /** Comparisons with the baseline. */
  readonly comparisons: readonly NamedComparison[];
  /** Number of planned runs, of those taken from the store, and of those that did not take place. */
  readonly runs: { readonly total: number; readonly fromStore: number; readonly notRun: number };
  /** Cost of all runs in US dollars; `undefined` if a price is unknown. */
  readonly costUsd: number | undefined;
}
