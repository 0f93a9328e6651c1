import { expect, test } from "vitest";

import type { Declarations } from "./attack-case.test.helper.ts";
import { dojoCase } from "./agentdojo-cases.test.helper.ts";
import { plans } from "./agentdojo-plans.test.helper.ts";
import { suites } from "./agentdojo-suites.test.helper.ts";
import { play } from "./play-attack.test.helper.ts";
import { expectDocumented } from "./report.test.helper.ts";

interface Asked {
  readonly task: string;
  readonly prompt: string;
  readonly questions: number;
  readonly done: boolean;
}

/** Plays every task of a suite without an attacker; a person approves the calls of the task. */
async function askedBy(suite: (typeof suites)[number], declarations: Declarations): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const [task, { prompt, calls }] of Object.entries(suite.user_tasks)) {
    const grants = declarations === "schema" ? { grants: [] } : {};
    const played = await play(dojoCase(suite, task), { mode: "enforce", declarations, ...grants });
    const done = played.ran.length === calls.length && played.overSent.length === 0;
    asked.push({ task: `${suite.name}/${task}`, prompt, questions: played.questions.length, done });
  }
  return asked;
}

function summary(how: string, suite: string, asked: readonly Asked[]): readonly string[] {
  const free = asked.filter(({ questions }) => questions === 0).length;
  const questions = asked.reduce((sum, each) => sum + each.questions, 0);
  return [suite, how, `${free} of ${asked.length}`, (questions / asked.length).toFixed(2)];
}

/** Minimum number of tasks without a question. */
const targets = { banking: 10, slack: 10 };

test.each(suites.map((suite) => [suite.name, suite] as const))(
  "%s: the number of tasks without a question, the tasks that ask, and the reasons [proof.autonomy]",
  async (name, suite) => {
    const asked = await askedBy(suite, "careful");
    expect(asked.filter(({ done }) => !done)).toEqual([]);
    for (const { task, questions } of asked) {
      const why = plans[task]?.asks ?? "";
      expect([task, questions > 0]).toEqual([task, why !== ""]);
      expectDocumented([task, String(questions), why]);
    }
    expect(asked.filter(({ questions }) => questions === 0).length).toBeGreaterThanOrEqual(targets[name]);
    expectDocumented(summary("careful declarations and a clean planner", name, asked));
  },
);

test("with schemas alone and no planner the tasks complete too, with more questions [proof.defaults-alone]", async () => {
  for (const suite of suites) {
    const asked = await askedBy(suite, "schema");
    expect(asked.filter(({ done }) => !done)).toEqual([]);
    expectDocumented(summary("schemas alone", suite.name, asked));
  }
});
