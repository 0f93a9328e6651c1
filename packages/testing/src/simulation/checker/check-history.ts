import { checkArgument, checkKnownNames } from "@bailiwick/core";
import type { BrokenPromise, RecordedHistory } from "./recorded-history.ts";
import { repeatedEffects } from "./effects.ts";
import { hostEndings, openEnds } from "./endings.ts";
import { brokenJournals } from "./journals.ts";
import { exceededLimits } from "./limits.ts";
import { driftedPages } from "./pages.ts";
import { crossedTenants } from "./tenants.ts";
import { lostWork } from "./work.ts";

const fields: readonly string[] = Object.keys({
  isFaultless: true,
  runs: true,
  effects: true,
  expected: true,
  answers: true,
  failedCalls: true,
  takenLeases: true,
  formerWrites: true,
  pages: true,
} satisfies Record<keyof RecordedHistory, true>);

/**
 * Judges a history: one of a simulation, or one that you read from the stores and logs of real processes.
 *
 * @param history - Runs with their records, effects, answers of people, and pages.
 * @throws ConfigurationError `INVALID_OPTION`, `UNKNOWN_OPTION`
 * @returns the broken promises, each with a sentence and the records that prove it.
 * @example
 * ```ts
 * import type { RunStore } from "@bailiwick/core";
 * import { checkHistory, type BrokenPromise } from "@bailiwick/testing/simulation";
 *
 * export async function afterChaos(store: RunStore): Promise<readonly BrokenPromise[]> {
 *   const stored = await store.listRuns({ allTenants: true });
 *   const runs = await Promise.all(stored.map(async ({ id, state }) => ({ id, state, records: await store.load(id) })));
 *   return checkHistory({ isFaultless: false, runs, effects: [] });
 * }
 * ```
 */
export function checkHistory(history: RecordedHistory): readonly BrokenPromise[] {
  checkArgument(history, "object", "checkHistory() with { isFaultless, runs, effects }");
  checkKnownNames(history, fields, "checkHistory()");
  checkArgument(history.runs, "array", "checkHistory(): runs as a list");
  checkArgument(history.effects, "array", "checkHistory(): effects as a list");
  return [
    ...repeatedEffects(history),
    ...lostWork(history),
    ...openEnds(history),
    ...hostEndings(history),
    ...brokenJournals(history),
    ...driftedPages(history),
    ...crossedTenants(history),
    ...exceededLimits(history),
  ];
}
