import { expect, test } from "vitest";
import { agreement, compare, estimate, passAll, passAny } from "../src/index.ts";

/** Simulated evaluations of each setting; at night more of them. */
const evaluations = process.env["BAILIWICK_WHOLE"] === undefined ? 800 : 4_000;

/** Numbers from 0 to 1 that a seed repeats. */
function drawn(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 13), 3_266_489_917);
    mixed ^= mixed >>> 16;
    return (mixed >>> 0) / 4_294_967_296;
  };
}

/** Cases of different difficulty: the chance of each to pass. */
function difficulties(random: () => number, count: number): readonly number[] {
  return Array.from({ length: count }, () => random() ** 0.5);
}
const meanDifficulty = 2 / 3;

/** Scores of the repeats of a case. */
const tries = (random: () => number, chance: number, repeats: number): readonly number[] =>
  Array.from({ length: repeats }, () => (random() < chance ? 1 : 0));

test.each([
  [10, 1],
  [10, 5],
  [50, 1],
  [50, 5],
  [200, 3],
])("the interval of a rate covers the truth with %i cases and %i repeats [evals.intervals]", (cases, repeats) => {
  const random = drawn(cases * 10 + repeats);
  let covered = 0;
  for (let one = 0; one < evaluations; one += 1) {
    const found = estimate(difficulties(random, cases).map((chance) => tries(random, chance, repeats)));
    if (found !== undefined && found.low <= meanDifficulty && meanDifficulty <= found.high) covered += 1;
  }
  expect(covered / evaluations).toBeGreaterThanOrEqual(0.92);
  expect(covered / evaluations).toBeLessThanOrEqual(0.975);
});

test.each([10, 50])("the interval of a number covers the truth with %i cases [evals.intervals]", (cases) => {
  const random = drawn(cases);
  let covered = 0;
  for (let one = 0; one < evaluations; one += 1) {
    const found = estimate(Array.from({ length: cases }, () => [0.3 + 0.4 * random() * random() + 0.2 * random()]));
    const truth = 0.3 + 0.1 + 0.1;
    if (found !== undefined && found.low <= truth && truth <= found.high) covered += 1;
  }
  expect(covered / evaluations).toBeGreaterThanOrEqual(0.92);
  expect(covered / evaluations).toBeLessThanOrEqual(0.975);
});

/** Compares equal candidates, some comparisons at once; the share of evaluations with a false alarm. */
function falseAlarms(comparisons: number, cases: number, repeats: number, count: number): number {
  const random = drawn(comparisons + cases + repeats);
  let alarms = 0;
  for (let one = 0; one < count; one += 1) {
    const pairs = Array.from({ length: comparisons }, () =>
      difficulties(random, cases).map((chance) => {
        const mean = (): number => tries(random, chance, repeats).reduce((sum, score) => sum + score, 0) / repeats;
        return [mean(), mean()] as const;
      }),
    );
    if (compare(pairs).some(({ verdict }) => verdict === "worse")) alarms += 1;
  }
  return alarms / count;
}

test("equal candidates are called worse in at most 5 of 100 evaluations, also with ten comparisons [evals.false-alarms]", () => {
  // A share of 0.025 is expected, and 120 draws of it exceed 0.08 in one of 2,000 tests.
  expect(falseAlarms(1, 30, 3, 100)).toBeLessThanOrEqual(0.08);
  expect(falseAlarms(10, 20, 1, 20)).toBeLessThanOrEqual(0.1);
});

test("a clear drop is worse, few cases are not compared, and the size of a visible change is given [evals.regression]", () => {
  const pairs = Array.from({ length: 40 }, (_, index) => [1, index % 3 === 0 ? 0 : 1] as const);
  expect(compare([pairs])[0]).toMatchObject({ verdict: "worse", cases: 40 });
  expect(compare([pairs.slice(0, 9)])[0]).toMatchObject({ verdict: "too few cases" });
  const flat = compare([pairs.map(([before], index) => [before, index === 0 ? 0 : 1] as const)])[0];
  expect(flat?.verdict).toBe("no difference shown");
  expect(flat?.wouldHaveSeen).toBeCloseTo((3.3 * Math.sqrt(1 / 40)) / Math.sqrt(40), 2);
  expect(compare([pairs])).toEqual(compare([pairs]));
});

test("pass^k and pass@k are exact, and unequal numbers of repeats are weighted by case [evals.intervals]", () => {
  expect(passAll(4, 5, 3)).toBeCloseTo(0.4);
  expect(passAny(1, 5, 3)).toBeCloseTo(0.6);
  expect([passAll(2, 5, 3), passAny(0, 5, 3), passAny(5, 5, 1)]).toEqual([0, 0, 1]);
  expect(estimate([[1], [0, 0, 0, 0]])?.mean).toBe(0.5);
  expect(estimate([])).toBeUndefined();
  expect(estimate([[1]])?.low).toBeLessThan(0.3);
});

test("the agreement of a judge with people is Cohen's kappa [evals.judge.calibration]", () => {
  const both = (yes: number, no: number, first: number, second: number): (readonly [number, number])[] => [
    ...Array.from({ length: yes }, () => [1, 1] as const),
    ...Array.from({ length: no }, () => [0, 0] as const),
    ...Array.from({ length: first }, () => [1, 0] as const),
    ...Array.from({ length: second }, () => [0, 1] as const),
  ];
  expect(agreement(both(20, 15, 5, 10))?.kappa).toBeCloseTo(0.4);
  expect(agreement(both(10, 10, 0, 0))).toMatchObject({ kappa: 1, low: 1, high: 1, cases: 20 });
  expect(agreement(both(10, 10, 10, 10))?.kappa).toBeCloseTo(0);
  expect(agreement([[1, 1]])).toBeUndefined();
});
