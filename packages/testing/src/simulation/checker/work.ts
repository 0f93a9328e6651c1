import type { JournalEventOf } from "@bailiwick/core";
import { isHostCode } from "./host-codes.ts";
import { named } from "./endings.ts";
import type { BrokenPromise, RecordedAnswer, RecordedHistory, RecordedRun } from "./recorded-history.ts";

/** Accepted work has its effect, unless a person rejected it, or the model or the user was notified that it failed. */
export function lostWork(history: RecordedHistory): readonly BrokenPromise[] {
  const { expected = [], effects, runs, answers = [], failedCalls = [] } = history;
  const outer = outerOf(runs);
  return expected.flatMap(({ name, id, runIds }): readonly BrokenPromise[] => {
    if (effects.some((effect) => effect.name === name && effect.id === id)) return [];
    const isOwn = (of: string): boolean => runIds.length === 0 || runIds.includes(outer(of));
    if (answers.some((answer) => isOwn(answer.question.runId) && refuses(answer))) return [];
    if (failedCalls.some((call) => isOwn(call.runId))) return [];
    const own = runs.filter((run) => isOwn(run.id));
    if (own.some((run) => toldFailure(run))) return [];
    const run = own.find((one) => one.id === runIds[0]);
    return [
      {
        promise: "work",
        text: `${name} ${id} was never made: ${run === undefined ? "its run was lost" : `${named(run).replace("The", "the")} is ${run.state}`}.`,
        proof: run?.records ?? [],
      },
    ];
  });
}

function refuses({ decision }: RecordedAnswer): boolean {
  return ["reject", "fail", "give_up", "it_happened"].includes(decision.type);
}

/** True if the run ended with its own failure, or its model read that a call failed. */
function toldFailure({ state, records }: RecordedRun): boolean {
  if (["stopped", "cancelled"].includes(state)) return true;
  const end = records.findLast(({ type }) => type === "run.end") as JournalEventOf<"run.end"> | undefined;
  if (state === "failed" && !isHostCode(end?.error?.code)) return true;
  return records.some(
    (record) => record.type === "tool.outcome" && record.failure !== undefined && !isHostCode(record.failure.code),
  );
}

/** Finds the outermost run of a run. */
function outerOf(runs: readonly RecordedRun[]): (runId: string) => string {
  const parents = new Map(runs.map(({ id, parentId }) => [id, parentId]));
  return (runId) => {
    let at = runId;
    // A circle would be a defect of the store; it must not hang the checker.
    for (let depth = 0; depth < 100; depth += 1) {
      const parent = parents.get(at);
      if (parent === undefined) return at;
      at = parent;
    }
    return at;
  };
}
