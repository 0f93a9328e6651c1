import type { ScoreRow } from "../score.ts";
import type { EvaluationRun, Unit } from "./unit.ts";

/** Keeps the scores of a unit in the store, if it keeps scores. */
export async function saveScores(
  _run: EvaluationRun,
  _unit: Unit,
  _rows: readonly ScoreRow[] | undefined,
): Promise<void> {}
