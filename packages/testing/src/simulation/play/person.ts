import type { AgentRuntime, Interruption, StoredRun } from "@bailiwick/core";
import type { SimulatedProcess } from "../world/simulated-process.ts";
import { pause, type Stage } from "./stage.ts";
import { truthfulPerson } from "./people.ts";

/** Interval at which a person looks for questions, in milliseconds. */
const lookMs = 700;

/** Answers the questions of suspended runs. */
export async function personLoop(stage: Stage, process: SimulatedProcess): Promise<void> {
  const answered = new Set<string>();
  const left = new Set<string>();
  stage.isWaiting = (runId) => left.has(runId);
  const people = stage.options.people ?? truthfulPerson;

  const decide = async (runtime: AgentRuntime, run: StoredRun, question: Interruption): Promise<void> => {
    const decision = people(question, stage.view);
    if (decision === undefined) {
      left.add(run.id);
      return;
    }
    const sent =
      stage.defect?.person === true && question.kind === "unknown_outcome" ? question.itDidNotHappen() : decision;
    await runtime.decide(run.id, [sent]);
    answered.add(question.id);
    stage.answers.push({ at: stage.world.time, question, decision });
    if (sent.type !== "approve" || question.kind === "unknown_outcome")
      stage.world.tell("person", `answers ${JSON.stringify(spoken(sent.type))} about ${question.toolName}.`);
  };

  for (;;) {
    await pause(lookMs);
    const { runtimes } = stage.apps.get(process.name) ?? { runtimes: [] };
    const waiting = await stage.store.listRuns({ allTenants: true, state: "suspended", limit: 1_000 });
    for (const run of waiting) {
      if (run.parent !== undefined || left.has(run.id)) continue;
      const runtime = runtimes.find(({ name }) => name === run.agentId) ?? runtimes[0];
      if (runtime === undefined) continue;
      try {
        for (const question of await runtime.interruptions(run.id))
          if (!answered.has(question.id)) await decide(runtime, run, question);
      } catch (error) {
        process.log("warn", ["The person tries again:", error instanceof Error ? error.message : error]);
      }
    }
  }
}

function spoken(type: string): string {
  const texts: Readonly<Record<string, string>> = {
    it_happened: "It happened",
    it_did_not_happen: "It did not happen",
    give_up: "Give up",
    approve: "Yes",
    reject: "No",
  };
  return texts[type] ?? type;
}
