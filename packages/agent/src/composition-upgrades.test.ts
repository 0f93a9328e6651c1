import { memoryStore, tool, type RunStore, type Runnable } from "@bailiwick/core";
import { attempt, loop, map, parallel, pipeline, route, type Composition } from "@bailiwick/compose";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { failureOf, quiet } from "./fixtures.test.helper.ts";
import { Agent } from "./index.ts";

/** The agents of one version of the code. Each makes its effect once per run, and `asks` waits for a person first. */
function agentsOf(store: RunStore, effects: string[]): Readonly<Record<"asks" | "fails" | "one" | "two", Agent>> {
  const agentOf = (name: string, needsApproval = false): Agent =>
    new Agent({
      name,
      store,
      logger: quiet,
      flow: "off",
      model: scriptedModel(({ toolResults }) =>
        toolResults.length > 0 ? `answer of ${name}` : { toolCalls: [{ name: "act", arguments: { by: name } }] },
      ),
      tools: [
        tool({
          name: "act",
          description: "Acts.",
          inputSchema: z.object({ by: z.string() }),
          sideEffectClass: "external-stateful",
          idempotencyKey: "call",
          needsApproval,
          execute: ({ by }, ctx) => {
            void ctx.idempotencyKey;
            effects.push(by);
            if (by === "fails") throw new Error("It failed.");
            return "done";
          },
        }),
      ],
      ...(name === "fails" && { stopWhen: () => true }),
    });
  return { one: agentOf("one"), two: agentOf("two"), asks: agentOf("asks", true), fails: agentOf("fails") };
}

type Agents = ReturnType<typeof agentsOf>;
type Version = (agents: Agents, options: { readonly name: string; readonly store: RunStore }) => Composition;

const renamed = (agent: Agent): Runnable => ({ name: "renamed", run: agent.run, stream: agent.stream });

/** Changes of a composition while its run waits for a person in `asks`. */
const changes: Readonly<Record<string, readonly [before: Version, after: Version, answer: unknown]>> = {
  "a step before the steps of a pipeline": [
    ({ one, asks }, o) => pipeline([one, asks], o),
    ({ one, two, asks }, o) => pipeline([two, one, asks], o),
    "refused",
  ],
  "a step between the steps of a pipeline": [
    ({ one, asks }, o) => pipeline([one, asks], o),
    ({ one, two, asks }, o) => pipeline([one, two, asks], o),
    "refused",
  ],
  "a step after the steps of a pipeline": [
    ({ one, asks }, o) => pipeline([one, asks], o),
    ({ one, two, asks }, o) => pipeline([one, asks, two], o),
    "answer of two",
  ],
  "other order of the steps of a pipeline": [
    ({ one, asks }, o) => pipeline([one, asks], o),
    ({ one, asks }, o) => pipeline([asks, one], o),
    "refused",
  ],
  "no first step of a pipeline": [
    ({ one, asks }, o) => pipeline([one, asks], o),
    ({ asks }, o) => pipeline([asks], o),
    "refused",
  ],
  "another name of a step that a pipeline has made": [
    ({ one, asks }, o) => pipeline([one, asks], o),
    ({ one, asks }, o) => pipeline([renamed(one), asks], o),
    "refused",
  ],
  "other order of parallel branches": [
    ({ one, asks }, o) => parallel({ one, asks }, o),
    ({ one, asks }, o) => parallel({ asks, one }, o),
    { asks: "answer of asks", one: "answer of one" },
  ],
  "another parallel branch": [
    ({ one, asks }, o) => parallel({ one, asks }, o),
    ({ one, two, asks }, o) => parallel({ one, asks, two }, o),
    "refused",
  ],
  "a parallel branch in place of another": [
    ({ one, asks }, o) => parallel({ one, asks }, o),
    ({ two, asks }, o) => parallel({ two, asks }, o),
    "refused",
  ],
  "one parallel branch less": [
    ({ one, asks }, o) => parallel({ one, asks }, o),
    ({ asks }, o) => parallel({ asks }, o),
    "refused",
  ],
  "an agent that chooses in place of a function": [
    ({ asks, two }, o) => route({ asks, two }, { ...o, choose: () => "asks" }),
    ({ asks, two, one }, o) => route({ asks, two }, { ...o, choose: one, otherwise: "two" }),
    "answer of asks",
  ],
  "a function that chooses in place of an agent": [
    ({ asks, one, two }, o) => route({ one, two }, { ...o, choose: asks, otherwise: "two" }),
    ({ asks, one, two }, o) => route({ one, two, choose_route: asks }, { ...o, choose: () => "one", otherwise: "two" }),
    "answer of two",
  ],
  "another last node of an attempt": [
    ({ asks }, o) => attempt({ try: asks }, o),
    ({ asks, two }, o) => attempt({ try: asks, finally: two }, o),
    "answer of asks",
  ],
  "a fallback of an attempt whose last node runs": [
    ({ fails, asks }, o) => attempt({ try: fails, finally: asks }, o),
    ({ fails, asks, two }, o) => attempt({ try: fails, catch: two, finally: asks }, o),
    expect.stringContaining('"fails"'),
  ],
  "more rounds of a loop": [
    ({ asks }, o) => loop(asks, { ...o, until: () => true }),
    ({ asks }, o) => loop(asks, { ...o, until: () => true, maxRounds: 3 }),
    "answer of asks",
  ],
  "other items of a map": [
    ({ asks }, o) => map(asks, { ...o, items: ["x"] }),
    ({ asks }, o) => map(asks, { ...o, items: ["x", "y"] }),
    ["answer of asks"],
  ],
};

test.each(Object.entries(changes))(
  "%s: no agent of a run runs twice, and each answer keeps its name; otherwise the run waits for the version that it began with [composition.changed]",
  async (_what, [before, after, answer]) => {
    const store = memoryStore();
    const effects: string[] = [];
    const made = (version: Version): Composition => version(agentsOf(store, effects), { name: "steps", store });
    const asked = await made(before).run("go");
    expect(asked.status).toBe("suspended");
    const decisions = asked.interruptions.map((question) => question.approve());
    if (answer === "refused") {
      const failure = await failureOf(made(after).resume(asked.runId, decisions));
      expect(failure).toMatchObject({
        code: "TOOL_MISSING",
        runId: asked.runId,
        message: expect.stringMatching(/^A run of the composition "steps" has called "\w+".* in a step in which this/u),
      });
      expect((await store.getRun(asked.runId))?.state).toBe("queued");
      expect((await made(before).resume(asked.runId, decisions)).status).toBe("completed");
    } else {
      const { status, text, structured } = await made(after).resume(asked.runId, decisions);
      expect([status, structured ?? text]).toEqual(["completed", answer]);
    }
    expect(new Set(effects).size).toBe(effects.length);
  },
);

test("a run inside another waits for its version too: the outer run is refused before its model gets a result [composition.changed]", async () => {
  const store = memoryStore();
  const effects: string[] = [];
  const outer = (steps: (agents: Agents) => readonly Runnable[]): Agent =>
    new Agent({
      name: "outer",
      store,
      logger: quiet,
      flow: "off",
      model: scriptedModel(({ toolResults }) =>
        toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "steps", arguments: { input: "go" } }] },
      ),
      tools: [pipeline(steps(agentsOf(store, effects)), { name: "steps", store }).asTool()],
    });
  const asked = await outer(({ one, asks }) => [one, asks]).run("go");
  const decisions = asked.interruptions.map((question) => question.approve());
  const changed = outer(({ two, one, asks }) => [two, one, asks]);
  expect(await failureOf(changed.resume(asked.runId, decisions))).toMatchObject({ code: "TOOL_MISSING" });
  expect((await outer(({ one, asks }) => [one, asks]).resume(asked.runId)).status).toBe("completed");
  expect(effects).toEqual(["one", "asks"]);
});
