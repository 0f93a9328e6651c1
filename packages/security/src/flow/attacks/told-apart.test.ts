import type { Question } from "@bailiwick/core";
import { expect, test } from "vitest";

import { calls, run } from "../world.test.helper.ts";
import { expectDocumented } from "./report.test.helper.ts";
import { attacks, honest, plannerFor, tools, type Asking } from "./ten-questions.test.helper.ts";

async function questionOf({ user, mail, does, wants }: Asking): Promise<Question> {
  const script = [...does.map((call) => calls(call)), "Done."] as const;
  const flow = { planner: plannerFor(wants) };
  const { asked } = await run({ tools: tools(mail), script: [...script], input: user, flow });
  expect(asked).toHaveLength(1);
  return asked[0]?.question as Question;
}

/** The sentences by which a person sees an attack: the user did not ask for it, or another value takes the place of a known one. */
const alarming = /^You asked for nothing of this kind\.|^You typed .* but the call has |resembles/u;

test("the level and the first sentence distinguish five attacks from five honest calls [questions.told-apart]", async () => {
  for (const [kind, asking] of [
    ["honest", honest],
    ["attack", attacks],
  ] as const) {
    for (const one of asking) {
      const question = await questionOf(one);
      expect([one.name, question.level, alarming.test(question.reason)]).toEqual([
        one.name,
        kind === "attack" ? "suspicious" : expect.stringMatching(/^(?:normal|unusual)$/u),
        kind === "attack",
      ]);
      const [reason = ""] = question.reason.split(/(?<=\.) /u);
      const sources = question.values
        .filter(({ decides }) => decides)
        .map(({ name, origin }) => `${name}: ${origin.text}`);
      expectDocumented([kind, one.name, `\`${question.level}\``, reason, sources.join("; ")]);
    }
  }
});
