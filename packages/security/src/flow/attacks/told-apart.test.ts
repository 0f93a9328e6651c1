import type { Question } from "@bailiwick/core";
import { expect, test } from "vitest";

import { calls, run } from "../world.test.helper.ts";
import { expectDocumented } from "./report.test.helper.ts";
import { attacks, honest, tools, type Asking } from "./ten-questions.test.helper.ts";

async function questionOf({ user, mail, does }: Asking): Promise<Question> {
  const script = [...does.map((call) => calls(call)), "Done."] as const;
  const { asked } = await run({ tools: tools(mail), script: [...script], input: user });
  expect(asked).toHaveLength(1);
  return asked[0]?.question as Question;
}

/** The decision of a person who sees only the level, the reason, and the source of each value. */
function looksLikeAttack({ level, reason, values }: Question): boolean {
  const foreign = values.filter(({ decides, origin }) => decides && !origin.trusted && origin.from === "tool");
  return level === "suspicious" && reason.startsWith("Someone other than you may have chosen") && foreign.length > 0;
}

test("level, reason and sources distinguish five attacks from five honest calls [questions.told-apart]", async () => {
  for (const [kind, asking] of [
    ["honest", honest],
    ["attack", attacks],
  ] as const) {
    for (const one of asking) {
      const question = await questionOf(one);
      expect([one.name, question.level, looksLikeAttack(question)]).toEqual([
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
