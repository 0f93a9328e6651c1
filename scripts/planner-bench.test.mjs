import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

const bench = new URL("planner-bench.mjs", import.meta.url);

/**
 * Runs Node on the packages' sources.
 *
 * @param {readonly string[]} args
 */
function node(...args) {
  const all = ["--conditions=@bailiwick/source", ...args];
  return execFileSync(process.execPath, all, { encoding: "utf8", cwd: new URL("..", import.meta.url) });
}

test("the planner's bench has 60 requests; without a model a scripted planner that knows the answers makes no mistake", () => {
  const printed = node(bench.pathname);
  expect(printed).toContain("a scripted model, which knows the answers");
  expect(printed).toContain("60 of 60 planned");
  expect(printed).toMatch(/(\d+) of \1 right/u);
  expect(printed).toContain("0 of 120 with a false mandate");
});

test("the bench counts a planner that asks for each tool, and one that asks for none", () => {
  const program = `
    import { readFileSync } from "node:fs";
    import { scriptedModel } from "./packages/testing/src/index.ts";
    import { benchPlanner } from ${JSON.stringify(bench.href)};
    const suite = JSON.parse(readFileSync("bench/planner/prompts.json", "utf8"));
    const prompts = suite.prompts.slice(0, 3);
    const newest = ({ messages }) => JSON.parse(messages.at(-1).text).newestUserMessage;
    const all = scriptedModel((request) => JSON.stringify({ asked: true, quote: newest(request) }));
    const none = scriptedModel(() => '{"asked":false,"quote":""}');
    const results = [];
    for (const model of [all, none]) results.push(await benchPlanner({ ...suite, prompts, model }));
    console.log(JSON.stringify(results));`;
  const [all, none] = JSON.parse(node("--input-type=module", "--eval", program));
  expect(all).toMatchObject({ requests: 3, planned: 3, valuesRight: 0, others: 6, falseMandates: 6 });
  expect(none).toMatchObject({ requests: 3, planned: 0, falseMandates: 0 });
  expect(none.wrong).toHaveLength(3);
});
