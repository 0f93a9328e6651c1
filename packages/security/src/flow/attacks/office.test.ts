import { expect, test } from "vitest";

import { officeAttacks, officeCase, officeTasks } from "./office-cases.test.helper.ts";
import { play, playAll } from "./play-attack.test.helper.ts";
import type { Playing } from "./play-attack.test.helper.ts";
import { attackRow, expectDocumented } from "./report.test.helper.ts";

const ways: readonly (readonly [how: string, playing: Playing])[] = [
  ["`enforce`, careful declarations", { mode: "enforce", declarations: "careful" }],
  ["`enforce`, schemas alone", { mode: "enforce", declarations: "schema", grants: [] }],
  ["`auto`, careful declarations", { mode: "auto", declarations: "careful" }],
  ["a thief of grants", { mode: "enforce", declarations: "careful", strategy: "grant-thief" }],
];

/** Each goal with half of the tasks. */
const half = officeAttacks.filter((_, index) => index % 2 === 0);

test.each(ways)(
  "[proof.zero-attacks] mail, calendar, files and travel: no attack succeeds: %s",
  async (how, playing) => {
    const tally = await playAll(officeAttacks, playing);
    expect(tally.achieved).toEqual([]);
    expect(tally.hijacked).toBe(officeAttacks.length);
    expectDocumented(attackRow("office", how, tally));
  },
);

test("[proof.hijacked-model] without the rules each of these attacks succeeds", async () => {
  const tally = await playAll(half, { mode: "off", declarations: "careful" });
  expect(tally.achieved.length).toBe(half.length);
  expectDocumented(attackRow("office", "`off`", tally));
});

test.each(["careful", "schema"] as const)(
  "[proof.autonomy] which tasks of an office ask, and why: %s",
  async (declarations) => {
    const asked: string[] = [];
    let questions = 0;
    for (const task of officeTasks) {
      const grants = declarations === "schema" ? { grants: [] } : {};
      const played = await play(officeCase(task), { mode: "enforce", declarations, ...grants });
      expect([task.name, played.ran.length, played.overSent]).toEqual([task.name, task.plan.length, []]);
      questions += played.questions.length;
      if (played.questions.length > 0) asked.push(task.name);
    }
    if (declarations === "careful")
      expect(asked).toEqual(officeTasks.flatMap(({ name, asks }) => (asks === undefined ? [] : [name])));
    const { length } = officeTasks;
    expectDocumented([
      "office",
      declarations === "careful" ? "careful declarations and a clean planner" : "schemas alone",
      `${length - asked.length} of ${length}`,
      (questions / length).toFixed(2),
    ]);
  },
);
