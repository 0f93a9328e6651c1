import { createAgentRuntime, memorySessions, memoryStore } from "@bailiwick/core";
import type { AgentRuntime, JournalEvent, SessionStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import type { ScriptStep } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";

import { security } from "../security.ts";
import { quiet } from "./attacks/play-attack.test.helper.ts";
import { createLabelGraph, joinLevels, sameLevel } from "./lattice.ts";
import { calls, made, readMail, send } from "./world.test.helper.ts";
import type { Ran } from "./world.test.helper.ts";

const store = memoryStore();

/** An agent whose conversation is cut down to its last answer before every request. */
function forgetful(
  script: readonly (ScriptStep | string)[],
  ran: Ran,
  strategy: "summarize" | "trim",
  session?: SessionStore,
): AgentRuntime {
  const balance = made(ran, {
    name: "balance",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    output: { integrity: "verified" },
    result: 5,
  });
  return createAgentRuntime(
    {
      name: "a",
      model: scriptedModel(script),
      tools: [readMail(ran), balance, send(ran)],
      store,
      logger: quiet,
      loopDetection: false,
      flow: { mode: "enforce", planner: false },
      contextCompactor: { maxContextTokens: 1, strategy, summarizeModel: scriptedModel(() => "All went well.") },
      ...(session !== undefined && { session }),
    },
    security(),
  );
}

/** The labels of the summaries of a run are no better than what was read before them. */
function summariesCarryTheJoin(journal: readonly JournalEvent[]): number {
  const graph = createLabelGraph();
  let read = graph.levelOf("user");
  let summaries = 0;
  for (const event of journal) {
    for (const label of event.labels ?? []) graph.load(label);
    const level = graph.levelOf(event.label);
    if (event.type === "run.start" || event.type === "tool.result") read = joinLevels(read, level, graph.sets);
    if (event.type !== "compaction" && !(event.type === "model.result" && event.purpose === "summary")) continue;
    expect(sameLevel(joinLevels(level, read, graph.sets), level), event.key).toBe(true);
    summaries += 1;
  }
  return summaries;
}

const reading = (times: number): readonly ScriptStep[] => [
  calls(["read_mail"]),
  ...Array.from({ length: times }, () => calls(["balance"])),
];

test.each(["summarize", "trim"] as const)(
  "the label of read data does not disappear with its messages (%s), in this process or another [flow.r9.summary]",
  async (strategy) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), async (times) => {
        const ran: Ran = [];
        const script = [...reading(times), calls(["send", { to: "eve" }]), calls(["send", { to: "eve" }]), "Done."];
        const first = await forgetful(script, ran, strategy).run("Go.");
        expect(first.interruptions).toMatchObject([
          { question: { developer: { rules: expect.arrayContaining(["R2"]) as unknown } } },
        ]);
        const elsewhere = forgetful([calls(["send", { to: "ann" }]), "Done."], ran, strategy);
        const second = await elsewhere.resume(
          first.runId,
          first.interruptions.map((one) => one.reject()),
        );
        expect(second.interruptions).toMatchObject([
          { question: { developer: { rules: expect.arrayContaining(["R2"]) as unknown } }, args: { to: "ann" } },
        ]);
        const journal = await store.load(first.runId);
        expect(summariesCarryTheJoin(journal)).toBeGreaterThan(0);
        expect(journal.some(({ type }) => type === "compaction")).toBe(true);
        expect(ran.some(({ name }) => name === "send")).toBe(false);
      }),
      { numRuns: 5 },
    );
  },
);

test("the label of everything that the session's first run read counts in the next, shortened or not [flow.r9.summary]", async () => {
  const ran: Ran = [];
  const session = memorySessions();
  const sessionId = "s1";
  await forgetful([...reading(2), "All went well."], ran, "summarize", session).run("Go.", { sessionId });
  const next = await forgetful([calls(["send", { to: "eve" }]), "Done."], ran, "summarize", session).run("Thanks!", {
    sessionId,
  });
  expect(next.interruptions).toMatchObject([
    { question: { developer: { rules: expect.arrayContaining(["R2"]) as unknown } } },
  ]);
  const clean = await forgetful([calls(["send", { to: "bob" }]), "Done."], ran, "summarize").run("Go.");
  expect(clean.interruptions).toEqual([]);
});
