import { checkArgument, checkKnownNames, memoryStore, type RunStore } from "@bailiwick/core";
import { randomIds } from "@bailiwick/core/extension";
import { checkBaseline, type Baseline } from "./baseline.ts";
import type { NamedCase } from "./case.ts";
import { readCases } from "./cases/read-cases.ts";
import type { Candidate, Evaluation } from "./evaluation.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { grouped } from "./grouped.ts";
import { terminalReport } from "./reports/terminal.ts";
import type { EvaluationResult } from "./result.ts";
import { candidateAgent } from "./running/candidate-agent.ts";
import { runPool } from "./running/run-pool.ts";
import { rowOf, scoreUnit } from "./running/score-run.ts";
import { runUnit } from "./running/run-unit.ts";
import { contentOf, type EvaluationRun, type ReadyCandidate, type Unit } from "./running/unit.ts";
import type { ScoreRow, Scorer } from "./score.ts";
import { calibrationOf } from "./scorers/judge.ts";
import type { Agreement } from "./statistics/agreement.ts";
import { caseResultOf, summaryOf } from "./summary.ts";
import { verdictOf } from "./verdict.ts";
import { warningsOf } from "./warnings.ts";

/** Options of `evaluate()`. */
export interface EvaluateOptions {
  /** Store of the runs: runs of an earlier start answer from it. Default: in memory. */
  readonly store?: RunStore | undefined;
  /** Ids of the cases to run. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Runs the cases that have one of these tags. Default: all. */
  readonly tags?: readonly string[] | undefined;
  /** Names of the candidates to run. Default: all. */
  readonly candidates?: readonly string[] | undefined;
  /** Number of runs of each case and candidate, in place of that of the evaluation. */
  readonly repeat?: number | undefined;
  /** Ignores the runs of earlier starts. Default `false`. */
  readonly fresh?: boolean | undefined;
  /** Scores stored runs, and begins none: cases without one are not run. Default `false`. */
  readonly rescore?: boolean | undefined;
  /** Budget in place of that of the evaluation. */
  readonly budget?: { readonly usd: number } | undefined;
  /** Scores of an earlier evaluation, to compare with. Default: the first candidate is the baseline. */
  readonly baseline?: Baseline | undefined;
  /** Aborted to end the evaluation: what is there is scored, and the other cases are not run. */
  readonly signal?: AbortSignal | undefined;
  /** Receives lines about waiting and progress. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

const names = [
  "store",
  "only",
  "tags",
  "candidates",
  "repeat",
  "fresh",
  "rescore",
  "budget",
  "baseline",
  "signal",
  "onProgress",
] as const satisfies readonly (keyof EvaluateOptions)[];

/**
 * Runs an evaluation: each case as often as it is repeated, with every candidate. No tool that changes something outside is
 * executed: fakes answer in its place.
 *
 * @param evaluation - From `evaluation()`.
 * @param options - The store, a choice of cases, and a baseline.
 * @throws EvaluationError before the first request: `EVAL_FAKE_MISSING` with every tool without a fake, `EVAL_STORE_FIXED`,
 *   `EVAL_HOSTED_TOOL`, `CASE_INVALID`, `CASE_TWICE`, `BASELINE_INVALID`.
 * @example
 * ```ts
 * import { evaluate, type Evaluation } from "@bailiwick/evals";
 *
 * export async function check(refunds: Evaluation): Promise<void> {
 *   const { verdict, text } = await evaluate(refunds);
 *   if (verdict !== "passed") throw new Error(text);
 * }
 * ```
 */
export async function evaluate(evaluation: Evaluation, options: EvaluateOptions = {}): Promise<EvaluationResult> {
  checkArgument(evaluation, "object", "evaluate(evaluation)");
  if (evaluation.kind !== "bailiwick-evaluation")
    throw new EvaluationError(
      "INVALID_OPTION",
      "evaluate() was given another value than an evaluation. Make one with evaluation({ name, agent, cases }).",
    );
  checkKnownNames(options, names, "evaluate()");
  const store = options.store ?? memoryStore();
  const baseline = options.baseline && checkBaseline(options.baseline, evaluation.name, "that was given");
  const cases = chosenCases(evaluation, await readCases(evaluation.cases), options);
  const candidates = await readyCandidates(evaluation, options.candidates, store);
  const run: EvaluationRun = {
    evaluation,
    store,
    nonce: options.fresh === true ? randomIds.next("run") : undefined,
    rescore: options.rescore === true,
    progress: options.onProgress ?? (() => undefined),
  };
  if (options.budget !== undefined && !(options.budget.usd > 0))
    throw new EvaluationError("INVALID_OPTION", '"budget" of evaluate() is { usd }, a number above 0.');
  const repeats = options.repeat ?? evaluation.repeat ?? 1;
  if (!Number.isInteger(repeats) || repeats < 1)
    throw new EvaluationError("INVALID_OPTION", `"repeat" is ${repeats}. It is a whole number of at least 1.`);
  const units = candidates.flatMap((candidate) =>
    cases.flatMap((one) =>
      Array.from({ length: repeats }, (_, index): Unit => ({ candidate, one, repeat: index + 1 })),
    ),
  );
  const scorers = [...(evaluation.must ?? []), ...(evaluation.scorers ?? [])];
  const done = await runUnits(run, units, scorers, options);
  const agreements = await agreementsOf(scorers, candidates, store);
  return resultOf({ evaluation, candidates, scorers, baseline, agreements, ...done });
}

/** Results of all units. */
interface Done {
  readonly rows: readonly ScoreRow[];
  readonly runs: EvaluationResult["runs"];
  readonly costUsd: number | undefined;
}

async function runUnits(
  run: EvaluationRun,
  units: readonly Unit[],
  scorers: readonly Scorer[],
  options: EvaluateOptions,
): Promise<Done> {
  const rows: (readonly ScoreRow[])[] = [];
  const budget = options.budget ?? run.evaluation.budget;
  let spent = 0;
  let costUsd: number | undefined = 0;
  let fromStore = 0;
  let notRun = 0;
  let stopped: string | undefined;
  const skip = (index: number, unit: Unit, reason: string, runId?: string): void => {
    notRun += 1;
    rows[index] = scorers.map((scorer) => rowOf(unit, scorer, runId, { state: "notRun", reason }));
  };
  await runPool(units.length, run.evaluation.concurrency ?? 4, async (index) => {
    const unit = units[index] as Unit;
    if (options.signal?.aborted === true) stopped = "the evaluation was stopped";
    if (stopped !== undefined) {
      skip(index, unit, stopped);
      return false;
    }
    const result = await runUnit(run, unit);
    if (result.outputs === undefined) {
      skip(index, unit, result.notRun, result.runId);
      return result.limited;
    }
    if (result.driven === 0) fromStore += 1;
    for (const output of result.outputs) {
      costUsd = costUsd === undefined || output.costUsd === undefined ? undefined : costUsd + output.costUsd;
      if (result.driven > 0) spent += output.costUsd ?? 0;
      if (budget !== undefined && output.costUsd === undefined)
        stopped = "the budget cannot be kept, because the price of a model is unknown";
    }
    if (budget !== undefined && spent >= budget.usd) stopped = `the budget of $${budget.usd} was spent`;
    const { keys } = unit.candidate.runtime.definition.options;
    rows[index] = await scoreUnit(scorers, unit, result.outputs, {
      store: run.store,
      ...(keys !== undefined && { keys }),
    });
    return false;
  });
  return { rows: rows.flat(), runs: { total: units.length, fromStore, notRun }, costUsd };
}

function chosenCases(
  { name }: Evaluation,
  cases: readonly NamedCase[],
  { only, tags }: EvaluateOptions,
): readonly NamedCase[] {
  const unknown = only?.find((id) => !cases.some((one) => one.id === id));
  if (unknown !== undefined)
    throw new EvaluationError(
      "EVAL_EMPTY",
      `The evaluation "${name}" has no case "${unknown}". Its cases are ${cases
        .slice(0, 20)
        .map(({ id }) => id)
        .join(", ")}.`,
    );
  const chosen = cases.filter(
    (one) =>
      (only === undefined || only.includes(one.id)) &&
      (tags === undefined || (one.tags ?? []).some((tag) => tags.includes(tag))),
  );
  if (chosen.length === 0)
    throw new EvaluationError(
      "EVAL_EMPTY",
      `The evaluation "${name}" has no case${tags === undefined ? "" : ` with the tag ${tags.join(" or ")}`}.`,
    );
  return chosen;
}

async function readyCandidates(
  evaluation: Evaluation,
  chosen: readonly string[] | undefined,
  store: RunStore,
): Promise<readonly ReadyCandidate[]> {
  const all = Object.entries(evaluation.candidates ?? { agent: {} });
  const unknown = chosen?.find((name) => !all.some(([other]) => other === name));
  if (unknown !== undefined)
    throw new EvaluationError(
      "INVALID_OPTION",
      `The evaluation "${evaluation.name}" has no candidate "${unknown}". Its candidates are ${all.map(([name]) => name).join(", ")}.`,
    );
  const ready: ReadyCandidate[] = [];
  for (const [name, candidate] of all.filter(([one]) => chosen === undefined || chosen.includes(one))) {
    const runtime = await candidateAgent(evaluation, name, candidate, store);
    const { agent: _agent, ...options }: Candidate = candidate;
    ready.push({ name, runtime, options, content: contentOf(evaluation, runtime, candidate) });
  }
  return ready;
}

async function agreementsOf(
  scorers: readonly Scorer[],
  candidates: readonly ReadyCandidate[],
  store: RunStore,
): Promise<ReadonlyMap<string, Agreement>> {
  const found = new Map<string, Agreement>();
  const [first] = candidates;
  for (const scorer of scorers) {
    const agreed = first === undefined ? undefined : await calibrationOf(scorer)?.({ store });
    if (agreed !== undefined) found.set(scorer.name, agreed);
  }
  return found;
}

function resultOf(
  given: Done & {
    readonly evaluation: Evaluation;
    readonly candidates: readonly ReadyCandidate[];
    readonly scorers: readonly Scorer[];
    readonly baseline: Baseline | undefined;
    readonly agreements: ReadonlyMap<string, Agreement>;
  },
): EvaluationResult {
  const { evaluation, rows, scorers, baseline, agreements, runs, costUsd } = given;
  const candidates = given.candidates.map(({ name }) => name);
  const byScorer = grouped(rows, (row) => JSON.stringify([row.candidate, row.scorer]));
  const mustNames = new Set((evaluation.must ?? []).map(({ name }) => name));
  const scores = candidates.flatMap((candidate) =>
    scorers.map(({ name: scorer }) =>
      summaryOf(byScorer.get(JSON.stringify([candidate, scorer])) ?? [], {
        scorer,
        candidate,
        must: mustNames.has(scorer),
        agreement: agreements.get(scorer),
      }),
    ),
  );
  const cases = [...grouped(rows, (row) => JSON.stringify([row.candidate, row.case])).values()].map(caseResultOf);
  const { verdict, reasons, comparisons } = verdictOf({ evaluation, candidates, rows, scores, baseline });
  const warnings = warningsOf(evaluation, scorers, scores);
  const result = { name: evaluation.name, verdict, reasons, warnings, scores, cases, comparisons, runs, costUsd };
  return { ...result, text: terminalReport(result) };
}
