import { memoryStore, type ModelProvider } from "@bailiwick/core";
import { scriptedModel, type Script } from "@bailiwick/testing";
import { expect, test } from "vitest";
import {
  baselineOf,
  calls,
  effects,
  evaluate,
  evaluation,
  includes,
  jsonReport,
  junitReport,
  markdownReport,
  type Case,
  type EvaluationOptions,
  type EvaluationResult,
  type Scorer,
} from "../src/index.ts";
import { desk } from "./desk.test.helper.ts";

const says =
  (answer: (input: string, times: number) => string): Script =>
  ({ lastUserText }) => {
    const seen = (times.get(lastUserText) ?? 0) + 1;
    times.set(lastUserText, seen);
    return answer(lastUserText, seen);
  };
let times = new Map<string, number>();
const inputs = (count: number, expected: Case["expected"] = {}): readonly Case[] =>
  Array.from({ length: count }, (_, index) => ({ id: `case ${index}`, input: `Question ${index}.`, expected }));

/** Evaluates answers that depend on the question and the number of times that it was asked. */
function judged(
  answer: (input: string, times: number) => string,
  more: Partial<EvaluationOptions>,
  options: Parameters<typeof evaluate>[1] = {},
): Promise<EvaluationResult> {
  times = new Map();
  const made = evaluation({
    name: "answers",
    agent: ({ store }) => desk(store, { tools: [] }, scriptedModel(says(answer))),
    cases: inputs(10),
    scorers: [includes("yes")],
    concurrency: 1,
    ...more,
  });
  return evaluate(made, options);
}

/** Every report counts each run once. */
function expectCounted(result: EvaluationResult): void {
  for (const one of result.scores)
    expect(one.scored + one.notApplicable + one.notScored + one.notRun, one.scorer).toBe(one.runs);
  const json = JSON.parse(jsonReport(result)) as EvaluationResult;
  expect(json.scores.map(({ runs }) => runs)).toEqual(result.scores.map(({ runs }) => runs));
  expect(junitReport(result).match(/<testcase/gu)).toHaveLength(result.cases.length + 1);
  expect(markdownReport(result)).toContain("| scored | not applicable | not scored | not run |");
}

test("a scorer that throws in one of ten runs leaves the mean over nine, and the verdict undecided; undefined changes no number [evals.missing]", async () => {
  const throwing: Scorer = function flimsy({ case: { id } }) {
    if (id === "case 3") throw new Error("the parser failed");
    return id === "case 4" ? 0 : 1;
  };
  const absent: Scorer = function absent({ case: { id } }) {
    return id === "case 5" ? undefined : true;
  };
  const result = await judged(() => "yes", {
    scorers: [throwing, absent],
    thresholds: { flimsy: { atLeast: 0.5 }, absent: { atLeast: 1 } },
  });
  expect(result.scores[0]).toMatchObject({ scored: 9, notScored: 1, casesLeftOut: 1 });
  expect(result.scores[0]?.estimate?.mean).toBeCloseTo(8 / 9);
  expect(result.scores[1]).toMatchObject({ scored: 9, notApplicable: 1, estimate: { mean: 1 } });
  expect(result.verdict).toBe("undecided");
  expect(result.text).toContain("could not judge");
  expect(result.text).toContain("the parser failed");
  expectCounted(result);
  const failed = await judged(() => "yes", { must: [throwing], scorers: [] });
  expect(failed.verdict, "a failure wins over a missing score").toBe("failed");
});

test.each([Number.NaN, -0.1, 1.1, Infinity, "0.5" as unknown as number])(
  "a score of %s is missing, and never clamped [evals.missing]",
  async (value) => {
    const odd: Scorer = function odd() {
      return { value };
    };
    const result = await judged(() => "yes", { must: [odd], scorers: [] });
    expect(result.scores[0]).toMatchObject({ scored: 0, notScored: 10, estimate: undefined });
    expect(result.cases[0]?.rows[0]?.reason).toContain("SCORE_INVALID");
    expect(result.verdict).toBe("undecided");
  },
);

test("a case with a missing repeat is left out of the mean, with its other repeats [evals.missing]", async () => {
  const partly: Scorer = function partly({ case: { id }, repeat }) {
    if (id === "case 3" && repeat === 2) throw new Error("the parser failed");
    return id === "case 3" ? 0 : 1;
  };
  const result = await judged(() => "yes", { scorers: [partly], repeat: 2 });
  expect(result.scores[0]).toMatchObject({ scored: 19, notScored: 1, casesLeftOut: 1, estimate: { mean: 1 } });
});

test("a case that passes in some repeats is flaky, and one that always passed in the baseline and falls is named though the mean holds [evals.regression]", async () => {
  const flaky = await judged((input, seen) => (input === "Question 2." && seen === 2 ? "no" : "yes"), {
    repeat: 3,
    scorers: [includes("yes")],
  });
  expect(flaky.cases.filter((one) => one.flaky)).toMatchObject([{ case: "case 2", passed: 2, judged: 3 }]);
  expect(flaky.text).toContain('flaky: "case 2" 2/3');
  const store = memoryStore();
  const model = (fails: string): ModelProvider =>
    scriptedModel(({ lastUserText }) => (lastUserText === fails ? "no" : "yes"));
  const compared = evaluation({
    name: "fallen",
    agent: ({ store: own }) => desk(own, { tools: [] }),
    cases: inputs(12),
    candidates: { today: { model: model("Question 1.") }, next: { model: model("Question 2.") } },
    must: [includes("yes")],
    thresholds: { regression: true },
  });
  const result = await evaluate(compared, { store });
  expect(result.comparisons).toMatchObject([{ verdict: "no difference shown", difference: 0 }]);
  expect(result.reasons.join("\n")).toContain("case 2");
  expect(result.text).toMatch(/would have seen \d+ points/u);
  const few = await evaluate(compared, { store, only: ["case 3", "case 4"] });
  expect(few.comparisons).toMatchObject([{ verdict: "too few cases" }]);
});

test("a drop is worse, a rise is better, and a baseline of other cases leaves the regression undecided [evals.regression]", async () => {
  const right = (count: number) => (input: string) => (Number(/\d+/u.exec(input)?.[0]) < count ? "yes" : "no");
  const options = { cases: inputs(40), thresholds: { includes: { atLeast: 0 }, regression: true } };
  const before = await judged(right(24), { cases: inputs(40) });
  const baseline = baselineOf(before);
  const verdicts = await Promise.all(
    [right(4), right(40), right(24)].map((answer) => judged(answer, options, { baseline })),
  );
  expect(verdicts.map(({ comparisons }) => comparisons[0]?.verdict)).toEqual([
    "worse",
    "better",
    "no difference shown",
  ]);
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(["failed", "passed", "passed"]);
  const others = await judged(right(24), { ...options, cases: inputs(41) }, { baseline });
  expect(others.verdict).toBe("undecided");
  const alone = await judged(right(36), { thresholds: { includes: { atLeast: 0 }, regression: true } });
  expect(alone.verdict).toBe("undecided");
  await expect(judged(right(1), {}, { baseline: { ...baseline, evaluation: "others" } })).rejects.toMatchObject({
    code: "BASELINE_INVALID",
  });
});

test("a threshold fails below the mean, or below the lower end of the interval [evals.thresholds]", async () => {
  const nine = (input: string): string => (input === "Question 0." ? "no" : "yes");
  const at = async (atLeast: number, interval: boolean): Promise<string> =>
    (await judged(nine, { thresholds: { includes: { atLeast, interval } } })).verdict;
  expect([await at(0.9, false), await at(0.91, false), await at(0.5, true), await at(0.9, true)]).toEqual([
    "passed",
    "failed",
    "passed",
    "failed",
  ]);
});

test("an exhausted budget leaves the other cases unrun, and the verdict undecided [evals.budget]", async () => {
  const prices = { "scripted/scripted-1": { input: 1000, output: 1000 } };
  const priced = evaluation({
    name: "dear",
    agent: ({ store }) =>
      desk(
        store,
        { tools: [], prices },
        scriptedModel(() => "yes"),
      ),
    cases: inputs(10),
    must: [includes("yes")],
    concurrency: 1,
    budget: { usd: 0.000_001 },
  });
  const result = await evaluate(priced);
  expect(result.scores[0]).toMatchObject({ scored: 1, notRun: 9 });
  expect(result.verdict).toBe("undecided");
  expectCounted(result);
});

test("a model's provider that fails leaves a run untaken, tried three times in one start and again in the next [evals.provider]", async () => {
  const store = memoryStore();
  let away = true;
  let requests = 0;
  const model = scriptedModel(() => {
    requests += 1;
    if (away) throw new Error("The provider is away.");
    return "yes";
  });
  const made = evaluation({
    name: "away",
    agent: ({ store: own }) => desk(own, { tools: [], retry: { maxRetries: 0 } }, model),
    cases: inputs(1),
    must: [includes("yes")],
  });
  const first = await evaluate(made, { store });
  expect([first.verdict, first.runs.notRun, requests]).toEqual(["undecided", 1, 3]);
  away = false;
  const second = await evaluate(made, { store });
  expect([second.verdict, requests], second.text).toEqual(["passed", 4]);
});

test("effects() and calls() score trajectories [evals.trajectories]", async () => {
  const script: Script = ({ toolResults }) =>
    toolResults.length === 0
      ? {
          toolCalls: [
            { name: "find_order", arguments: { id: "7" } },
            { name: "refund", arguments: { id: "7", amount: 5 } },
          ],
        }
      : "Done.";
  const of = async (expected: Case["expected"], scorer: Scorer): Promise<number | undefined> => {
    const made = evaluation({
      name: "trajectories",
      agent: ({ store }) => desk(store, {}, scriptedModel(script)),
      fakes: { refund: () => "refunded" },
      cases: [{ input: "Refund order 7.", expected }],
      scorers: [scorer],
    });
    return (await evaluate(made)).cases[0]?.rows[0]?.value;
  };
  const find = { tool: "find_order", args: { id: "7" } };
  const table: readonly (readonly [Case["expected"], Scorer, number | undefined])[] = [
    [{ effects: [{ tool: "refund", args: { id: "7" } }] }, effects(), 1],
    [{ effects: ["refund"] }, effects(), 1],
    [{ effects: [{ tool: "refund", args: { id: "8" } }] }, effects(), 0],
    [{ effects: [] }, effects(), 0],
    [{ effects: ["refund", "refund"] }, effects(), 0],
    [{}, effects(), undefined],
    [{ calls: ["find_order", "refund"] }, calls(), 1],
    [{ calls: ["refund", "find_order"] }, calls(), 0],
    [{ calls: ["refund", find] }, calls({ order: "any" }), 1],
    [{ calls: ["refund"] }, calls({ order: "any" }), 0],
    [{ calls: ["refund"] }, calls({ order: "subset" }), 1],
    [{ calls: [{ tool: "refund", args: { amount: 6 } }] }, calls({ order: "subset" }), 0],
  ];
  for (const [expected, scorer, value] of table)
    expect(await of(expected, scorer), JSON.stringify(expected)).toBe(value);
});
