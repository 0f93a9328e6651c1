import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent, tool } from "../../src/index.ts";

/** Number of turns after which a run that repeats these calls ended, and how. */
async function turnsOf(cycle: readonly string[], result: (turn: number) => string): Promise<readonly [number, string]> {
  let turns = 0;
  const tools = [...new Set(cycle)].map((name) =>
    tool({
      name,
      description: name,
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      output: { integrity: "verified" },
      execute: () => result(turns),
    }),
  );
  const model = scriptedModel(() => {
    turns += 1;
    return turns > 40 ? "Done." : { toolCalls: [{ name: cycle[(turns - 1) % cycle.length] ?? "" }] };
  });
  const output = await new Agent({ name: "a", logger: quiet, model, tools, maxTurns: 60 }).run("Go.");
  return [turns, output.stopReason];
}

test.each([
  [["a"], 3],
  [["a", "b"], 6],
  [["a", "b", "c"], 9],
  [["a", "a", "b"], 9],
  [["a", "b", "c", "d"], 12],
])(
  "the calls %j with equal results are a loop after three rounds [run.stop.loop-detected.cycle]",
  async (cycle, turns) => {
    expect(await turnsOf(cycle, () => "nothing new")).toEqual([turns, "loop_detected"]);
  },
);

test("calls with new results, and longer cycles, are not a loop [run.stop.loop-detected.cycle]", async () => {
  expect(await turnsOf(["a", "b"], (turn) => `result ${turn}`)).toEqual([41, "completed"]);
  expect(await turnsOf(["a", "b", "c", "d", "e"], () => "nothing new")).toEqual([41, "completed"]);
});
