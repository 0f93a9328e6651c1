import { named } from "./endings.ts";
import type { BrokenPromise, RecordedHistory } from "./recorded-history.ts";

/** A run has no more turns than its agent allows. */
export function exceededLimits({ runs }: RecordedHistory): readonly BrokenPromise[] {
  return runs.flatMap((run): readonly BrokenPromise[] => {
    const { maxTurns } = run;
    if (maxTurns === undefined) return [];
    const turns = run.records.filter(
      (record) => record.type === "model.result" && (record.purpose ?? "turn") === "turn" && record.error === undefined,
    );
    if (turns.length <= maxTurns) return [];
    return [
      {
        promise: "limits",
        text: `${named(run)} had ${turns.length} turns, and its agent allows ${maxTurns}.`,
        proof: turns,
      },
    ];
  });
}
