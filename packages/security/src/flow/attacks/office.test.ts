import { expect, test } from "vitest";

import { officeAttacks, officeCase, officeTasks } from "./office-cases.test.helper.ts";
import { play, playAll } from "./play-attack.test.helper.ts";
import type { Playing } from "./play-attack.test.helper.ts";
import { expectDocumented } from "./report.test.helper.ts";
import { expectDocumentedAttacks, sampled } from "./sampled-attacks.test.helper.ts";

const ways: readonly (readonly [how: string, playing: Playing])[] = [
  ["`enforce`, careful declarations", { mode: "enforce", declarations: "careful" }],
  ["`enforce`, schemas alone", { mode: "enforce", declarations: "schema", grants: [] }],
  ["`auto`, careful declarations", { mode: "auto", declarations: "careful" }],
  ["grant thief", { mode: "enforce", declarations: "careful", strategy: "grant-thief" }],
];

/** Each goal with half of the tasks. */
const half = officeAttacks.filter((_, index) => index % 2 === 0);

test.each(ways.map(([how, playing], turn) => [how, playing, turn] as const))(
  "mail, calendar, files and travel: no attack succeeds: %s [proof.zero-attacks]",
  async (how, playing, turn) => {
    const tally = await playAll(sampled(officeAttacks, turn), playing);
    expect(tally.achieved).toEqual([]);
    expect(tally.hijacked).toBe(tally.cases);
    expectDocumentedAttacks("office", how, tally, officeAttacks);
  },
);

test("with the policy off each of these attacks succeeds [proof.hijacked-model]", async () => {
  const tally = await playAll(sampled(half), { mode: "off", declarations: "careful" });
  expect(tally.achieved.length).toBe(tally.cases);
  expectDocumentedAttacks("office", "`off`", tally, half);
});

/** Plays each task without an attacker; a person approves the calls of the task. */
async function questionsBy(declarations: "careful" | "schema"): Promise<readonly number[]> {
  const questions: number[] = [];
  for (const task of officeTasks) {
    const grants = declarations === "schema" ? { grants: [] } : {};
    const played = await play(officeCase(task), { mode: "enforce", declarations, ...grants });
    expect([task.name, played.ran.length, played.overSent]).toEqual([task.name, task.plan.length, []]);
    questions.push(played.questions.length);
  }
  return questions;
}

test("the office tasks that ask, and why [proof.autonomy] [proof.defaults-alone]", async () => {
  const careful = await questionsBy("careful");
  const alone = await questionsBy("schema");
  officeTasks.forEach(({ name, asks = "" }, index) => {
    expect([name, careful[index] === 0]).toEqual([name, asks === ""]);
    expectDocumented([`office/${name}`, String(careful[index]), String(alone[index]), asks]);
  });
  for (const [how, questions] of [
    ["careful declarations and a clean planner", careful],
    ["schemas alone", alone],
  ] as const) {
    const { length } = questions;
    const free = questions.filter((count) => count === 0).length;
    const sum = questions.reduce((a, b) => a + b, 0);
    expectDocumented(["office", how, `${free} of ${length}`, (sum / length).toFixed(2)]);
  }
});
