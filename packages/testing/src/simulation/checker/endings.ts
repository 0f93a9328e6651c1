import type { JournalEventOf } from "@bailiwick/core";
import { isHostCode } from "./host-codes.ts";
import type { BrokenPromise, RecordedHistory, RecordedRun } from "./recorded-history.ts";

/** States in which a run may be at the end: ended, or waiting for a named reason. */
const settled: ReadonlySet<string> = new Set(["completed", "stopped", "cancelled", "failed", "suspended", "sleeping"]);

/** Every run ends, or waits for a named reason. */
export function openEnds({ runs, answers = [] }: RecordedHistory): readonly BrokenPromise[] {
  return runs.flatMap((run): readonly BrokenPromise[] => {
    if (run.parentId !== undefined) return [];
    const open = openQuestions(run);
    const isAnswered = open.some((id) => answers.some(({ decision }) => decision.id === id));
    if (settled.has(run.state) && !(run.state === "suspended" && isAnswered)) return [];
    const text =
      run.state === "suspended"
        ? `${named(run)} still waits for a question that a person has answered.`
        : `${named(run)} is "${run.state}" at the end: it neither ended nor waits for a named reason.`;
    return [{ promise: "ends", text, proof: run.records.slice(-3) }];
  });
}

function openQuestions(run: RecordedRun): readonly string[] {
  const last = run.records.findLast(({ type }) => type === "run.suspended") as
    | JournalEventOf<"run.suspended">
    | undefined;
  return last?.interruptionIds ?? [];
}

/** A run does not end because of its store, lease or process. A lease changes its owner after its end; without faults, never. */
export function hostEndings({ runs, isFaultless, takenLeases = [] }: RecordedHistory): readonly BrokenPromise[] {
  const ended = runs.flatMap((run): readonly BrokenPromise[] => {
    const end = run.records.findLast(({ type }) => type === "run.end") as JournalEventOf<"run.end"> | undefined;
    if (run.state !== "failed" || !isHostCode(end?.error?.code)) return [];
    return [
      {
        promise: "host",
        text: `${named(run)} ended as failed because of its host: ${end?.error?.code ?? ""}.`,
        proof: [end],
      },
    ];
  });
  const early = takenLeases.flatMap((lease): BrokenPromise[] =>
    lease.leftMs === undefined
      ? []
      : [
          {
            promise: "host",
            text: `${lease.to} took the lease on run ${lease.runId} from ${lease.from}, ${lease.leftMs} ms before its end.`,
            proof: [lease],
          },
        ],
  );
  const taken = isFaultless
    ? takenLeases.map((lease): BrokenPromise => ({
        promise: "host",
        text: `The lease on run ${lease.runId} went from ${lease.from} to ${lease.to} although nothing failed.`,
        proof: [lease],
      }))
    : [];
  return [...ended, ...early, ...taken];
}

/** The name of a run in sentences. */
export function named({ id, input }: Pick<RecordedRun, "id" | "input">): string {
  return input === undefined || input === "" ? `The run ${id}` : `The run of ${JSON.stringify(input.slice(0, 60))}`;
}
