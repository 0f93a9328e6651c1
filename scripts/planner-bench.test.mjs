import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { scriptedModel } from "../packages/testing/src/index.ts";
import { benchPlanner, report } from "./planner-bench.mjs";

const suite = JSON.parse(readFileSync(new URL("../bench/planner/prompts.json", import.meta.url), "utf8"));

test("the planner's bench has 60 requests, and a scripted planner that knows the answers makes no mistake", async () => {
  const result = await benchPlanner(suite);
  expect(result).toMatchObject({ requests: 60, planned: 60, others: 120, falseMandates: 0, wrong: [] });
  expect(result.valuesRight).toBe(result.values);
  expect(report("scripted", result)).toContain("60 of 60 planned");
});

test("the bench counts a planner that asks for each tool, and one that asks for none", async () => {
  const prompts = suite.prompts.slice(0, 3);
  const asksForAll = scriptedModel(({ messages }) =>
    JSON.stringify({ asked: true, quote: JSON.parse(messages.at(-1).text).newestUserMessage }),
  );
  const all = await benchPlanner({ ...suite, prompts, model: asksForAll });
  expect(all).toMatchObject({ planned: 3, valuesRight: 0, falseMandates: 6 });
  const none = await benchPlanner({ ...suite, prompts, model: scriptedModel(() => '{"asked":false,"quote":""}') });
  expect(none).toMatchObject({ planned: 0, falseMandates: 0 });
  expect(none.wrong).toHaveLength(3);
});
