import { memoryStore, tool, type RunStore, type Runnable } from "@bailiwick/core";
import { attempt, loop, map, parallel, pipeline, route, type Composition } from "../../src/compose.ts";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

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

/** Changes of a composition while its run waits for a person in `asks`. */
const changes: Readonly<Record<string, readonly [before: Version, after: Version, answer: unknown]>> = {
  "a step before the steps of a pipeline": [
    ({ one, asks }, o) => pipeline(o, one, asks),
    ({ one, two, asks }, o) => pipeline(o, two, one, asks),
    "refused",
  ],
  "a step between the steps of a pipeline": [
    ({ one, asks }, o) => pipeline(o, one, asks),
    ({ one, two, asks }, o) => pipeline(o, one, two, asks),
    "refused",
  ],
  "a step after the steps of a pipeline": [
    ({ one, asks }, o) => pipeline(o, one, asks),
    ({ one, two, asks }, o) => pipeline(o, one, asks, two),
    "answer of two",
  ],
  "other order of the steps of a pipeline": [
    ({ one, asks }, o) => pipeline(o, one, asks),
    ({ one, asks }, o) => pipeline(o, asks, one),
    "refused",
  ],
  "no first step of a pipeline": [
    ({ one, asks }, o) => pipeline(o, one, asks),
    ({ asks }, o) => pipeline(o, asks),
    "refused",
  ],
  "another name of a step that a pipeline has made": [
    ({ one, asks }, o) => pipeline(o, one, asks),
    ({ one, asks }, o) => pipeline(o, pipeline({ name: "renamed" }, one), asks),
    "refused",
  ],
  "other order of parallel branches": [
    ({ one, asks }, o) => parallel(o, { one, asks }),
    ({ one, asks }, o) => parallel(o, { asks, one }),
    { asks: "answer of asks", one: "answer of one" },
  ],
  "another parallel branch": [
    ({ one, asks }, o) => parallel(o, { one, asks }),
    ({ one, two, asks }, o) => parallel(o, { one, asks, two }),
    "refused",
  ],
  "a parallel branch in place of another": [
    ({ one, asks }, o) => parallel(o, { one, asks }),
    ({ two, asks }, o) => parallel(o, { two, asks }),
    "refused",
  ],
  "one parallel branch less": [
    ({ one, asks }, o) => parallel(o, { one, asks }),
    ({ asks }, o) => parallel(o, { asks }),
    "refused",
  ],
  "an agent that chooses in place of a function": [
    ({ asks, two }, o) => route({ ...o, choose: () => "asks" }, { asks, two }),
    ({ asks, two, one }, o) => route({ ...o, choose: one, otherwise: "two" }, { asks, two }),
    "answer of asks",
  ],
  "a function that chooses in place of an agent": [
    ({ asks, one, two }, o) => route({ ...o, choose: asks, otherwise: "two" }, { one, two }),
    ({ asks, one, two }, o) => route({ ...o, choose: () => "one", otherwise: "two" }, { one, two, choose_route: asks }),
    "answer of two",
  ],
  "another last node of an attempt": [
    ({ asks }, o) => attempt(o, { try: asks }),
    ({ asks, two }, o) => attempt(o, { try: asks, finally: two }),
    { ok: true, value: "answer of asks" },
  ],
  "a fallback of an attempt whose last node runs": [
    ({ fails, asks }, o) => attempt(o, { try: fails, finally: asks }),
    ({ fails, asks, two }, o) => attempt(o, { try: fails, catch: two, finally: asks }),
    { ok: false, error: expect.stringContaining('"fails"') },
  ],
  "more rounds of a loop": [
    ({ asks }, o) => loop({ ...o, until: () => true }, asks),
    ({ asks }, o) => loop({ ...o, until: () => true, maxRounds: 3 }, asks),
    "answer of asks",
  ],
  "other items of a map": [
    ({ asks }, o) => map({ ...o, items: ["x"] }, asks),
    ({ asks }, o) => map({ ...o, items: ["x", "y"] }, asks),
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
      tools: [pipeline({ name: "steps", store }, ...(steps(agentsOf(store, effects)) as readonly [Agent])).asTool()],
    });
  const asked = await outer(({ one, asks }) => [one, asks]).run("go");
  const decisions = asked.interruptions.map((question) => question.approve());
  const changed = outer(({ two, one, asks }) => [two, one, asks]);
  expect(await failureOf(changed.resume(asked.runId, decisions))).toMatchObject({ code: "TOOL_MISSING" });
  expect((await outer(({ one, asks }) => [one, asks]).resume(asked.runId)).status).toBe("completed");
  expect(effects).toEqual(["one", "asks"]);
});
