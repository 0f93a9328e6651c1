import { expect, test } from "vitest";

import { runCost } from "./run-cost.ts";

const call = (title: string, costUsd?: number) => ({ kind: "model", title, inputTokens: 10, costUsd }) as const;

test("the cost of a run says that it is a part if the price of a model, such as the planner's, is unknown", () => {
  expect(runCost(0.024, [call("gpt-5.5", 0.024)])).toEqual({ words: "$0.024", unpriced: [] });
  expect(runCost(0.024, [call("gpt-5.5", 0.024), call("own-planner"), call("own-planner")])).toEqual({
    words: "at least $0.024",
    unpriced: ["own-planner"],
  });
  expect(runCost(undefined, [call("own-planner")])).toEqual({ words: "", unpriced: ["own-planner"] });
});

test("a call without an answer yet, and a tool call, need no price", () => {
  const open = { kind: "model", title: "gpt-5.5" } as const;
  const tool = { kind: "tool", title: "read_mail" } as const;
  expect(runCost(0.5, [open, tool]).words).toBe("$0.500");
});
