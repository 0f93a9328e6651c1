import type { JournalEvent } from "@bailiwick/core";
import { checkHistory, type RecordedHistory, type RecordedRun } from "@bailiwick/testing/simulation";
import { expect, test } from "vitest";

const call = { runId: "r1", toolCallId: "c1", toolName: "pay", args: { invoice: "7" } };
const payment = { name: "payment", id: "7", number: 1, isRepetition: false, calls: [call] };
const record = (seq: number, fields: object): JournalEvent =>
  ({ seq, at: 0, key: `k${seq}`, label: 0, runId: "r1", ...fields }) as unknown as JournalEvent;
const run = (fields: Partial<RecordedRun>): RecordedRun => ({ id: "r1", state: "completed", records: [], ...fields });
const answer = (at: number, type: "it_did_not_happen" | "it_happened" | "reject") =>
  ({ at, question: { kind: "unknown_outcome", ...call }, decision: { id: "q1", type } }) as const;
const twice = [
  { ...payment, at: 10, process: "w1" },
  { ...payment, at: 30, process: "w2" },
];
const ended = (code: string) => [record(1, { type: "run.end", error: { code } })];

const cases: readonly [title: string, history: Partial<RecordedHistory>, broken: readonly string[]][] = [
  ["an effect once", { effects: twice.slice(0, 1) }, []],
  ["an effect twice", { effects: twice }, ["payment 7 was made twice, by w1 and by w2."]],
  [
    "an effect that a person denied between the two",
    { effects: twice, answers: [answer(20, "it_did_not_happen")] },
    [],
  ],
  [
    "an effect that a person denied before the first one",
    { effects: twice, answers: [answer(5, "it_did_not_happen")] },
    ["payment 7 was made twice, by w1 and by w2."],
  ],
  [
    "an effect that a person confirmed between the two",
    { effects: twice, answers: [answer(20, "it_happened")] },
    ["payment 7 was made twice, by w1 and by w2."],
  ],
  ["a request that repeated a key", { effects: [twice[0], { ...twice[1], isRepetition: true }] as never }, []],
  [
    "work without its effect",
    { expected: [{ name: "payment", id: "7", runIds: ["r1"] }], runs: [run({ input: "Pay." })] },
    ['payment 7 was never made: the run of "Pay." is completed.'],
  ],
  [
    "work that a person rejected",
    { expected: [{ name: "payment", id: "7", runIds: ["r1"] }], runs: [run({})], answers: [answer(1, "reject")] },
    [],
  ],
  [
    "work whose call failed visibly",
    { expected: [{ name: "payment", id: "7", runIds: ["r1"] }], runs: [run({})], failedCalls: [call] },
    [],
  ],
  [
    "a run that neither ended nor waits",
    { runs: [run({ state: "running" })] },
    ['The run r1 is "running" at the end: it neither ended nor waits for a named reason.'],
  ],
  ["a run inside a call that did not end", { runs: [run({ parentId: "r0", state: "running" })] }, []],
  [
    "a question that was answered and still waits",
    {
      runs: [run({ state: "suspended", records: [record(1, { type: "run.suspended", interruptionIds: ["q1"] })] })],
      answers: [answer(1, "it_happened")],
    },
    ["The run r1 still waits for a question that a person has answered."],
  ],
  [
    "a run that ended because of its store",
    { runs: [run({ state: "failed", records: ended("STORE_UNREACHABLE") })] },
    ["The run r1 ended as failed because of its host: STORE_UNREACHABLE."],
  ],
  [
    "a run that ended because of its model",
    { runs: [run({ state: "failed", records: ended("MODEL_CONNECTION") })] },
    [],
  ],
  [
    "a lease that changed its owner without faults",
    { isFaultless: true, takenLeases: [{ at: 1, runId: "r1", from: "w1", to: "w2" }] },
    ["The lease on run r1 went from w1 to w2 although nothing failed."],
  ],
  [
    "a journal with a gap, a key twice and two results",
    {
      runs: [
        run({
          records: [
            record(1, { type: "tool.result", turn: 1, index: 0 }),
            record(3, { type: "tool.result", turn: 1, index: 0, key: "k1" }),
          ],
        }),
      ],
    },
    [
      "The journal of the run r1 has record 3 at place 2.",
      "The journal of the run r1 has the key k1 twice.",
      "The journal of the run r1 has two results of call 1/0.",
    ],
  ],
  [
    "a page that drifted",
    { pages: [{ name: "tab 1", shown: ["a", "b"], read: ["a", "c"], sent: ["a", "x"], error: "Failed" }] },
    [
      'tab 1 shows "b" where the model read "c".',
      'The message "x" disappeared from tab 1.',
      "tab 1 stays in an error: Failed.",
    ],
  ],
  [
    "a text of another tenant",
    {
      runs: [
        run({ tenantId: "a", input: "Apples", records: [record(1, { type: "run.start", input: ["Pears"] })] }),
        run({ id: "r2", tenantId: "b", input: "Pears" }),
      ],
    },
    ['The run of "Apples" of tenant a has the input "Pears" of tenant b.'],
  ],
  [
    "more turns than allowed",
    { runs: [run({ maxTurns: 1, records: [1, 2].map((seq) => record(seq, { type: "model.result", turn: seq })) })] },
    ["The run r1 had 2 turns, and its agent allows 1."],
  ],
];

test.each(cases)("the checker judges %s [simulation.checker]", (_, history, broken) => {
  const judged = checkHistory({ isFaultless: false, runs: [], effects: [], ...history });
  expect(judged.map(({ text }) => text)).toEqual(broken);
});
