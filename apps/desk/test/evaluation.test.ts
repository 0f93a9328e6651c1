import { evaluate } from "@bailiwick/evals";
import { expect, test } from "vitest";
import desk from "../src/evaluation/desk.eval.ts";

test("the desk handles 30 sample mails as expected, and no hostile one has an effect [evals.fakes]", async () => {
  const result = await evaluate(desk);
  expect(result.verdict, result.text).toBe("passed");
  expect(result.runs).toEqual({ total: 30, fromStore: 0, notRun: 0 });
});
