/**
 * Evaluations of agents: cases, fakes, scorers, verdicts and reports.
 *
 * @module main
 */
export type { Attack, Case, CaseOrigin, CaseSource, Expected, ExpectedCall, NamedCase } from "./case.ts";
export { evaluation } from "./evaluation.ts";
export type {
  AgentMaker,
  Candidate,
  EvaluatedAgent,
  Evaluation,
  EvaluationOptions,
  Fake,
  FakeContext,
  People,
  Threshold,
} from "./evaluation.ts";
export { EvaluationError, type EvaluationErrorCode } from "./evaluation-error.ts";
export { evaluate, type EvaluateOptions } from "./evaluate.ts";
export type {
  Score,
  ScoredCall,
  ScoredEffect,
  ScoredQuestion,
  ScoredRun,
  Scorer,
  ScorerPlace,
  ScoreRow,
  ScoreState,
} from "./score.ts";
export type { CaseResult, EvaluationResult, NamedComparison, ScorerSummary, Verdict } from "./result.ts";
export { baselineOf, checkBaseline, type Baseline } from "./baseline.ts";
export { caseFiles } from "./cases/case-files.ts";
export { fromRuns, type FromRunsOptions } from "./cases/from-runs.ts";
export type { RunSelection } from "./stored-runs.ts";
export { jsonl } from "./cases/jsonl.ts";
export { exact, fields, includes, regex, schema } from "./scorers/answers.ts";
export { attacks, calls, effects, forbidden, type CallsOptions } from "./scorers/calls.ts";
export { cost, latency, questions, tokens, turns, type LimitOptions } from "./scorers/limits.ts";
export { judge, type JudgeOptions } from "./scorers/judge.ts";
export { similar, type Embed } from "./scorers/similar.ts";
export {
  rehearse,
  type Rehearsal,
  type RehearsalCounts,
  type RehearsalEntry,
  type RehearsedChange,
  type RehearseOptions,
} from "./rehearsal/rehearse.ts";
export {
  questionStatistics,
  type QuestionProposal,
  type QuestionStatistics,
  type QuestionStatisticsOptions,
} from "./rehearsal/question-statistics.ts";
export type { QuestionFigures } from "./rehearsal/question-figures.ts";
export type { DeclarationChange } from "./rehearsal/declaration-change.ts";
export { jsonReport } from "./reports/json.ts";
export { junitReport } from "./reports/junit.ts";
export { markdownReport } from "./reports/markdown.ts";
export { agreement, type Agreement } from "./statistics/agreement.ts";
export { compare, type Comparison } from "./statistics/compare.ts";
export { estimate, type Estimate } from "./statistics/interval.ts";
export { passAll, passAny } from "./statistics/repeats.ts";
