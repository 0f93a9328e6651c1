import type { JournalEvent } from "@bailiwick/core";
import { named } from "./endings.ts";
import type { BrokenPromise, RecordedHistory } from "./recorded-history.ts";

/** A journal has no gap, no key twice, one result for each call, an unbroken chain, and no record of a former holder. */
export function brokenJournals({ runs, formerWrites = [] }: RecordedHistory): readonly BrokenPromise[] {
  const former = formerWrites.map((write): BrokenPromise => ({
    promise: "journal",
    text: `${write.by} wrote to run ${write.runId} after ${write.holder} had taken it over.`,
    proof: [write],
  }));
  const journals = runs.flatMap((run) => {
    const problems: BrokenPromise[] = [];
    const broken = (what: string, ...proof: readonly JournalEvent[]): void =>
      void problems.push({
        promise: "journal",
        text: `The journal of ${named(run).replace("The", "the")} ${what}.`,
        proof,
      });
    const results = new Map<string, JournalEvent>();
    const keys = new Map<string, JournalEvent>();
    for (const [index, record] of run.records.entries()) {
      if (record.seq !== index + 1) broken(`has record ${record.seq} at place ${index + 1}`, record);
      const before = keys.get(record.key);
      if (before !== undefined) broken(`has the key ${record.key} twice`, before, record);
      keys.set(record.key, record);
      if (record.type !== "tool.result") continue;
      const call = `${record.turn}/${record.index}`;
      const first = results.get(call);
      if (first !== undefined) broken(`has two results of call ${call}`, first, record);
      results.set(call, record);
    }
    if (run.auditProblem !== undefined) broken(`does not pass its audit: ${run.auditProblem}`);
    return problems;
  });
  return [...former, ...journals];
}
