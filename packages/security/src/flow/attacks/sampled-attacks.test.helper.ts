import { expect } from "vitest";

import type { AttackCase } from "./attack-case.test.helper.ts";
import type { Tally } from "./play-attack.test.helper.ts";
import { attackRow, expectDocumented, expectDocumentedCases } from "./report.test.helper.ts";

/** True in `pnpm test:attacks`, which plays each attack of the suites; the other tests play a sample. */
export const isWhole: boolean = process.env["BAILIWICK_ATTACKS_EVERY"] !== undefined;

/**
 * Attacks of a suite. In a sample, each task has one of the goals in turn, and each goal has a task. Another `turn`
 * starts at another goal.
 */
export function sampled(attacks: readonly AttackCase[], turn = 0): readonly AttackCase[] {
  if (isWhole) return attacks;
  const ofTasks = oneOfEach(attacks, ({ prompt }) => prompt, turn);
  const goals = new Set(ofTasks.map(({ goal }) => goal));
  const others = attacks.filter(({ goal }) => !goals.has(goal));
  return [...ofTasks, ...oneOfEach(others, ({ goal = "" }) => goal, turn)];
}

/** One attack for each value of `by`; the attacks of a value take turns. */
function oneOfEach(
  attacks: readonly AttackCase[],
  by: (attack: AttackCase) => string,
  turn: number,
): readonly AttackCase[] {
  const values = [...new Set(attacks.map((attack) => by(attack)))];
  return values.flatMap((value, index) => {
    const own = attacks.filter((attack) => by(attack) === value);
    return own.slice((index + turn) % own.length).slice(0, 1);
  });
}

/** Compares a row of a documented table with the result of a whole suite, or of its sample. */
export function expectDocumentedAttacks(
  suite: string,
  how: string,
  tally: Tally,
  attacks: readonly AttackCase[],
): void {
  if (tally.cases === attacks.length) return expectDocumented(attackRow(suite, how, tally));
  expect([0, tally.cases], "a sample fails or succeeds as a whole").toContain(tally.achieved.length);
  expectDocumentedCases([suite, how, String(attacks.length)], tally.achieved.length === 0 ? 0 : attacks.length);
}
