import { FencedError, StoreError } from "@bailiwick/core/store";
import type { AppendedFacts } from "@bailiwick/core/store";
import { optionalName } from "../connection/names.ts";
import { number, text } from "../connection/statements.ts";
import type { Row } from "../connection/statements.ts";
import { chained } from "./chained.ts";
import type { Held, Job, Outcome, Records, Released } from "./jobs.ts";

/** The state of a locked run while a group is planned, and its next state. */
export interface RunPlan {
  readonly n: string;
  readonly epoch: number;
  readonly owner: string | null;
  readonly userId: string | undefined;
  seq: number;
  hash: string;
  progress: boolean;
  readonly facts: AppendedFacts[];
  released: Released | undefined;
}

/** A record to be inserted. */
export interface PlannedRecord {
  readonly job: Job;
  readonly run: RunPlan;
  readonly seq: number;
  readonly key: string;
  readonly hash: string;
  readonly text: string;
}

/** The writes of a group. */
export interface GroupPlan {
  readonly outcomes: readonly Outcome[];
  readonly records: readonly PlannedRecord[];
  /** Jobs that are written, each with its run. */
  readonly written: readonly { readonly job: Job; readonly run: RunPlan }[];
}

/**
 * Decides which jobs of a group are written, in order: each follows the head that the earlier ones leave.
 *
 * @param rows - The runs of the group, locked.
 * @param blobs - Hashes of those named blobs that are stored.
 * @param refused - Jobs that will not be written, with the reason.
 */
export function planGroup(
  jobs: readonly Job[],
  rows: readonly Row[],
  blobs: ReadonlySet<string>,
  refused: ReadonlyMap<Job, Error>,
): GroupPlan {
  const runs = new Map(rows.map((row) => [text(row, "id"), toPlan(row)]));
  const records: PlannedRecord[] = [];
  const written: { readonly job: Job; readonly run: RunPlan }[] = [];
  const outcomes = jobs.map((job): Outcome => {
    const { held } = job;
    const run = runs.get(held.column);
    if (run === undefined || !isAtHead(held, run)) return { error: new FencedError(held.runId) };
    const error = refused.get(job) ?? missingBlob(job.records, blobs);
    if (error !== undefined) return { error };
    written.push({ job, run });
    if (job.records === undefined) {
      run.released = job.released;
      return { head: undefined };
    }
    for (const [index, key] of job.records.keys.entries()) {
      const recordText = job.records.texts[index] ?? "";
      run.seq += 1;
      run.hash = chained(run.hash, recordText);
      records.push({ job, run, seq: run.seq, key, hash: run.hash, text: recordText });
    }
    run.progress ||= job.records.progress;
    run.facts.push(job.records.facts);
    return { head: { seq: run.seq, hash: run.hash } };
  });
  return { outcomes, records, written };
}

function toPlan(row: Row): RunPlan {
  return {
    n: text(row, "n"),
    epoch: number(row, "epoch"),
    owner: row["owner"] ?? null,
    userId: optionalName(row["user_id"]),
    seq: number(row, "head_seq"),
    hash: text(row, "head_hash"),
    progress: false,
    facts: [],
    released: undefined,
  };
}

function isAtHead(held: Held, run: RunPlan): boolean {
  return (
    run.released === undefined &&
    run.epoch === held.epoch &&
    run.owner === held.owner &&
    run.seq === held.seq &&
    (held.hash === "" || held.hash === run.hash)
  );
}

function missingBlob(records: Records | undefined, blobs: ReadonlySet<string>): StoreError | undefined {
  const missing = records?.blobs.find(({ hash, reference }) => reference && !blobs.has(hash));
  return (
    missing &&
    new StoreError(
      "BLOB_MISSING",
      `A record refers to the blob "${missing.hash}", which is not stored. Store blobs before the records that refer to them.`,
    )
  );
}
