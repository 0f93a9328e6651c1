import { createAgentRuntime } from "@bailiwick/core";
import type { Grant } from "@bailiwick/core";
import { randomCaller } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { security } from "../../security.ts";
import { dojoCase } from "./agentdojo-cases.test.helper.ts";
import { plans } from "./agentdojo-plans.test.helper.ts";
import { suites } from "./agentdojo-suites.test.helper.ts";
import type { Poison, RanCall, Stage } from "./attack-case.test.helper.ts";
import { injecAgentAttacks, injecAgentStage, injecAgentTools, mailToSelf } from "./injecagent-cases.test.helper.ts";
import { quiet } from "./play-attack.test.helper.ts";

/** Tools and values for random calls. */
interface Field {
  readonly name: string;
  readonly prompts: readonly string[];
  readonly goals: readonly string[];
  readonly grants: readonly Grant[];
  /** Creates the tools; the number selects the task or a part of the tools. */
  readonly stage: (poison: Poison, choice: number) => Stage;
}

const dojo = suites.map((suite): Field => {
  const cases = Object.keys(suite.user_tasks).map((task) => dojoCase(suite, task));
  return {
    name: `${suite.name} of AgentDojo`,
    prompts: cases.map(({ prompt }) => prompt),
    goals: Object.values(suite.injection_tasks).map(({ goal }) => goal),
    grants: Object.values(suite.user_tasks).flatMap((_, index) => plans[cases[index]?.name ?? ""]?.grants ?? []),
    stage: (poison, choice) => (cases[choice % cases.length] as (typeof cases)[number]).stage("careful", poison),
  };
});

const inject: Field = {
  name: "InjecAgent",
  prompts: [...new Set(injecAgentAttacks.map(({ prompt }) => prompt))],
  goals: [...new Set(injecAgentAttacks.map(({ goal = "" }) => goal))],
  grants: [mailToSelf, { ...mailToSelf, count: 3 }],
  // Six tools at a time, mail and passwords among them.
  stage: (poison, choice) => {
    const some = injecAgentTools.filter((_, index) => (index * 7 + choice) % 12 === 0);
    return injecAgentStage("careful", poison, undefined, [
      ...some,
      "GmailSendEmail",
      "NortonIdentitySafeSearchPasswords",
    ]);
  },
};

const mark = "_x";

/** The attacker's words, each with a mark that identifies everything derived from it. */
function marked(goal: string): string {
  return goal.replaceAll(/[^\s"',;()]{3,}/gu, (word) => word.replace(/[.:!?]*$/u, (end) => `${mark}${end}`));
}

/** Free text that a grant may let a model compose. */
const free: ReadonlySet<string> = new Set(["subject", "date", "body", "content"]);

/** Effects of the attacker's words: an argument that is not free text, or a working link. */
function decidedByAttacker({ args }: RanCall): readonly unknown[] {
  return Object.entries(args as object).filter(([name, value]) => {
    const text = JSON.stringify(value);
    if (!free.has(name)) return text.includes(mark);
    return new RegExp(String.raw`(?:\w\.\w|@)[^\s"]*${mark}`, "u").test(text);
  });
}

const plainReads = /^(?:get_(?!webpage)|read_)|Get|Read|Search|View|List|AccessUserInfo/u;

test.each([...dojo, inject].map((field) => [field.name, field] as const))(
  "in random calls over everything that a model has read, over %s, the attacker's words decide nothing [proof.random-calls]",
  async (_name, field) => {
    let acted = 0;
    const choices = fc.array(fc.nat(5000), { minLength: 6, maxLength: 22 });
    await fc.assert(
      fc.asyncProperty(choices, fc.nat(1000), async (numbers, choice) => {
        const poison: Poison = (nth) => marked(field.goals[(nth + choice) % field.goals.length] ?? "");
        const { tools, ran, keys } = field.stage(poison, choice);
        const runtime = createAgentRuntime(
          {
            name: "assistant",
            model: randomCaller(numbers),
            tools,
            logger: quiet,
            maxTurns: 8,
            loopDetection: false,
            flow: {
              mode: "enforce",
              planner: false,
              grants: field.grants.filter(({ tool }) => tools.some(({ name }) => name === tool)),
            },
            approval: { onApproval: () => ({ approved: false }) },
            ...(keys !== undefined && { keys }),
          },
          security(),
        );
        await runtime.run(field.prompts[choice % field.prompts.length] ?? "");
        const decided = ran.filter(({ name }) => !plainReads.test(name));
        acted += decided.length;
        expect(decided.flatMap(decidedByAttacker)).toEqual([]);
        expect(JSON.stringify(decided)).not.toContain("What NortonIdentitySafeSearchPasswords knows");
      }),
      // `pnpm test:properties random-calls` plays 3,000.
      { numRuns: 150 },
    );
    expect(acted).toBeGreaterThan(100);
  },
);
