import type { RunOutput } from "@bailiwick/core";
import type { Score, ScoreRow, Scorer, ScorerPlace } from "../score.ts";
import { missingFakeIn, scoredRun } from "./scored-run.ts";
import type { Unit } from "./unit.ts";

/** Asks every scorer about the runs of a unit. */
export async function scoreUnit(
  scorers: readonly Scorer[],
  unit: Unit,
  outputs: readonly RunOutput[],
  place: ScorerPlace,
): Promise<readonly ScoreRow[]> {
  const run = await scoredRun(unit, outputs);
  const unproven = missingFakeIn(run.events);
  const rows: ScoreRow[] = [];
  for (const scorer of scorers)
    rows.push(
      unproven === undefined
        ? await askScorer(scorer, () => scorer(run, place), unit, run.output.runId)
        : rowOf(unit, scorer, run.output.runId, { state: "notScored", reason: unproven }),
    );
  return rows;
}

async function askScorer(scorer: Scorer, ask: () => ReturnType<Scorer>, unit: Unit, runId: string): Promise<ScoreRow> {
  let given: Awaited<ReturnType<Scorer>>;
  try {
    given = await ask();
  } catch (error) {
    return rowOf(unit, scorer, runId, { state: "notScored", reason: `${scorer.name} threw: ${textOf(error)}` });
  }
  if (given === undefined || given === null) return rowOf(unit, scorer, runId, { state: "notApplicable" });
  const score: Score = typeof given === "object" ? given : { value: Number(given) };
  const { value, reason, measured, costUsd } = score;
  if (typeof value !== "number" || !(value >= 0 && value <= 1))
    return rowOf(unit, scorer, runId, {
      state: "notScored",
      reason: `SCORE_INVALID: ${scorer.name} gave ${String(value)} for the case "${unit.one.id}". A score is a number from 0 to 1.`,
      costUsd,
    });
  return rowOf(unit, scorer, runId, { state: "scored", value, reason, measured, costUsd });
}

/** A row of a unit. */
export function rowOf(
  { candidate, one, repeat }: Unit,
  scorer: Scorer,
  runId: string | undefined,
  {
    state,
    value,
    reason,
    measured,
    costUsd,
  }: Pick<ScoreRow, "state"> & Partial<Pick<ScoreRow, "value" | "reason" | "measured" | "costUsd">>,
): ScoreRow {
  return {
    case: one.id,
    candidate: candidate.name,
    repeat,
    scorer: scorer.name,
    runId,
    state,
    value,
    reason,
    measured,
    costUsd,
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
