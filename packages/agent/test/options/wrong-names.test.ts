import { attempt, loop, map, parallel, pipeline, route } from "../../src/compose.ts";
import {
  handoff,
  interruption,
  memoryStore,
  tool,
  toolReturn,
  type Decision,
  type InterruptionData,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { calls, failureOf, openAgent, plain, runOne } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const clerk = new Agent({ ...openAgent, model: scriptedModel(() => "Hello.") });
const untyped = (value: object): never => value as never;

/** An agent whose run waits for a person, and the executed part of it. */
async function waiting() {
  const ran: unknown[] = [];
  const pay = tool({
    ...plain,
    inputSchema: { type: "object", properties: { sum: { type: "number" } } },
    needsApproval: true,
    execute: (input) => ran.push(input),
  });
  const agent = new Agent({
    ...openAgent,
    model: calls({ name: "t", arguments: { sum: 900 } }),
    tools: [pay],
  });
  const { runId, interruptions } = await agent.run("go");
  return { agent, runId, question: JSON.parse(JSON.stringify(interruptions[0])) as InterruptionData, ran };
}

test("a decision with a misspelt field approves nothing [people.decisions.edited-arguments]", async () => {
  const { agent, runId, question, ran } = await waiting();
  expect(() => interruption(question).approve(untyped({ arg: { sum: 5 } }))).toThrow(
    `"arg" is not an option of approve() (did you mean "args"?).`,
  );
  const byHand = { id: question.id, type: "approve", arguments: { sum: 5 } } as Decision;
  const error = await failureOf(agent.resume(runId, [byHand]));
  expect(error).toMatchObject({ code: "DECISION_INVALID" });
  expect((error as Error).message).toContain(`"arguments" is not a field of "approve"`);
  expect(ran).toEqual([]);
  await agent.resume(runId, [interruption(question).approve({ args: { sum: 5 } })]);
  expect(ran).toEqual([{ sum: 5 }]);
});

test.each([true, { decisions: [] }, { id: "x", type: "approve" }])(
  "decisions that are not a list, %j, are refused, with how to create one",
  async (given) => {
    const { agent, runId, ran } = await waiting();
    const error = await failureOf(agent.resume(runId, given as never));
    expect(error).toMatchObject({ code: "DECISION_INVALID" });
    expect((error as Error).message).toContain("have to be an array, such as result.interruptions.map(");
    expect(ran).toEqual([]);
  },
);

test.each<readonly [string, string, () => unknown]>([
  ["pipeline()", "nme", () => pipeline(untyped({ nme: "x" }), clerk)],
  ["parallel()", "mrge", () => parallel(untyped({ mrge: () => "" }), { clerk })],
  ["map()", "itms", () => map(untyped({ itms: [] }), clerk)],
  ["route()", "chose", () => route(untyped({ chose: () => "clerk" }), { clerk })],
  ["loop()", "untl", () => loop(untyped({ untl: () => true }), clerk)],
  ["attempt()", "ctch", () => attempt({}, untyped({ try: clerk, ctch: clerk }))],
  ["attempt()", "toInputs", () => attempt(untyped({ toInputs: () => "" }), { try: clerk })],
  ["handoff()", "filter", () => handoff(clerk, untyped({ filter: () => [] }))],
  ["memoryStore()", "keepEnd", () => memoryStore(untyped({ keepEnd: 5 }))],
  ["toolReturn()", "end", () => toolReturn(untyped({ output: 1, end: true }))],
])("%s names its unknown option %s", (what, name, make) => {
  expect(make).toThrow(
    expect.objectContaining({
      code: "UNKNOWN_OPTION",
      message: expect.stringContaining(`"${name}" is not an option of ${what}`) as string,
    }) as Error,
  );
});

test("enqueue, fork and follow refuse unknown options", async () => {
  const { agent, runId } = await waiting();
  expect(await failureOf(agent.enqueue("x", untyped({ delay: 1 })))).toMatchObject({ code: "UNKNOWN_OPTION" });
  expect(await failureOf(agent.fork(runId, untyped({ at: 1 })))).toMatchObject({ code: "UNKNOWN_OPTION" });
  expect(await failureOf(agent.fork(runId, untyped({ atSeq: 1, edit: { text: "x" } })))).toMatchObject({
    code: "UNKNOWN_OPTION",
  });
  for (const [options, code] of [
    [{ after: 1 }, "UNKNOWN_OPTION"],
    [{ afterSeq: "1" }, "INVALID_OPTION"],
  ] as const)
    expect(await failureOf(agent.follow(runId, untyped(options)).next())).toMatchObject({ code });
});

test("a misspelt field in toolReturn() fails the tool call", async () => {
  const call = await runOne({ ...plain, execute: () => toolReturn(untyped({ output: 1, endRunn: true })) });
  expect(JSON.stringify(call)).toContain(`did you mean`);
});
