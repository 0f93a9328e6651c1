import type { JournalSubscriber } from "../journal/journal-writer.ts";
import { shownRecord } from "../journal/scrubbed-record.ts";
import type { LiveRun, Run } from "./run.ts";

/**
 * The subscribers of a run's records, in order. The journal itself folds a record first. Other observers (event bus,
 * `onToken`, the run's iterator, the calling run, progress) are taps of the run's sink, behind the answer gate;
 * telemetry has spans instead.
 */
export function journalSubscribers(run: Run, live: LiveRun): readonly JournalSubscriber[] {
  const { sealer, secrets } = run.agent;
  return [
    { name: "flow labels", types: "all", hear: (event) => run.flow?.observe(event) },
    {
      name: "answer gate",
      types: "all",
      // A journal that is not sealed holds no known secret.
      hear: (event) => run.answer.record(sealer === undefined ? event : shownRecord(event, secrets)),
    },
    { name: "inbox", types: ["run.start", "run.resumed"], hear: () => live.takeSignals() },
  ];
}
