import type { BrokenPromise, RecordedHistory } from "./recorded-history.ts";
import { repeatedEffects } from "./effects.ts";
import { hostEndings, openEnds } from "./endings.ts";
import { brokenJournals } from "./journals.ts";
import { exceededLimits } from "./limits.ts";
import { driftedPages } from "./pages.ts";
import { crossedTenants } from "./tenants.ts";
import { lostWork } from "./work.ts";

/**
 * Judges a history: one of a simulation, or one that you read from the stores and logs of real processes.
 *
 * @param history - Runs with their records, effects, answers of people, and pages.
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
