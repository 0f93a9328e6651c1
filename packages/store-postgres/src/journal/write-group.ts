import { StoreError, duplicateKey } from "@bailiwick/core/store";
import type { Database, Transaction } from "../connection/database.ts";
import { fromColumn } from "../connection/names.ts";
import { number, text } from "../connection/statements.ts";
import type { Ask, Row } from "../connection/statements.ts";
import type { Notices } from "../inbox/notices.ts";
import { putRows } from "../ledger.ts";
import { moment } from "../schema/tables.ts";
import type { Tables } from "../schema/tables.ts";
import { joinSession, sessionKey } from "../sessions/join-session.ts";
import type { Job, Outcome } from "./jobs.ts";
import { addedFacts, factsColumns, factsNames, factsValues } from "./facts.ts";
import { planGroup } from "./plan-group.ts";
import type { GroupPlan, PlannedRecord, RunPlan } from "./plan-group.ts";

/**
 * Writes a group in one transaction. The runs are locked first, so decisions by their epochs and heads hold until the
 * commit, which writes all of it or none.
 */
export async function writeGroup(
  database: Database,
  tables: Tables,
  jobs: readonly Job[],
  notices: Pick<Notices, "tellOthers">,
): Promise<readonly Outcome[]> {
  const refused = new Map<Job, Error>();
  for (;;) {
    let tried: readonly Outcome[] | undefined;
    try {
      return await database.write(async (transaction) => {
        const plan = await lockAndPlan(transaction, tables, jobs, refused);
        // The mark of this write: it was committed, and the answer was lost.
        if (plan === "committed" && tried !== undefined) return tried;
        if (plan === "committed") throw new Error("The mark of a write is there before it was tried.");
        tried = plan.outcomes;
        if (plan.written.length > 0) await writePlan(transaction, tables, database.name, plan);
        if (plan.written.some(({ job }) => job.released?.state === "queued")) await notices.tellOthers(transaction.ask);
        return plan.outcomes;
      });
    } catch (error) {
      if (!(error instanceof KeysTaken)) throw error;
      for (const [job, reason] of error.jobs) refused.set(job, reason);
    }
  }
}

async function lockAndPlan(
  { ask, mark }: Transaction,
  { runs, blobs }: Tables,
  jobs: readonly Job[],
  refused: ReadonlyMap<Job, Error>,
): Promise<GroupPlan | "committed"> {
  const rows = await ask(
    `SELECT id, n, epoch, owner, user_id, head_seq, head_hash, mark FROM ${runs} WHERE id = ANY ($1::text[]) ORDER BY n FOR NO KEY UPDATE`,
    [[...new Set(jobs.map(({ held }) => held.column))]],
  );
  if (rows.some((row) => row["mark"] === mark)) return "committed";
  const named = [...new Set(jobs.flatMap(({ records }) => records?.blobs ?? []).map(({ hash }) => hash))];
  // Locked, so that no other process removes them before they are used.
  const stored =
    named.length === 0
      ? []
      : await ask(`SELECT hash FROM ${blobs} WHERE hash = ANY ($1::text[]) ORDER BY hash FOR NO KEY UPDATE`, [named]);
  return planGroup(jobs, rows, new Set(stored.map((row) => text(row, "hash"))), refused);
}

async function writePlan(transaction: Transaction, tables: Tables, name: string, plan: GroupPlan): Promise<void> {
  const { ask } = transaction;
  const { written, records } = plan;
  await takeSignals(ask, tables, written);
  const [row] = await writeRuns(transaction, tables, plan);
  if (number(row ?? {}, "records") !== records.length) throw await keysTaken(ask, tables, name, records);
  await useBlobs(ask, tables, written);
  await putRows(
    ask,
    tables,
    written.flatMap(({ job }) => job.records?.ledger ?? []),
  );
  // The row decides the owner: the session may have been claimed while the run was driven.
  const sessions = written.flatMap(({ job, run }) => {
    const session = job.released?.session;
    return session === undefined ? [] : [{ ...session, userId: run.userId }];
  });
  // In the same order in all processes, to avoid deadlocks.
  sessions.sort((a, b) => (sessionKey(a) < sessionKey(b) ? -1 : 1));
  for (const session of sessions) await joinSession(transaction, tables, session);
}

/** Records, and the new heads of their runs, in one statement, which sees the inbox under the lock of the runs. */
async function writeRuns({ ask, mark }: Transaction, tables: Tables, plan: GroupPlan): Promise<readonly Row[]> {
  const { records } = plan;
  const runs = [...new Set(plan.written.map(({ run }) => run))];
  const column = <T>(of: (run: RunPlan) => T): T[] => runs.map(of);
  const unread = `EXISTS (SELECT FROM ${tables.inbox} WHERE run = runs.n AND NOT taken)`;
  const awaited = `EXISTS (SELECT FROM ${tables.inbox} WHERE run = runs.n AND NOT taken AND name IN (SELECT jsonb_array_elements_text(next.unless::jsonb)))`;
  return ask(
    `WITH records AS (
       INSERT INTO ${tables.events} (run, seq, key, hash, text)
       SELECT run, seq, key, decode(hash, 'hex'), text
       FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[]) AS given (run, seq, key, hash, text)
       ON CONFLICT DO NOTHING RETURNING 1
     ), moved AS (
       UPDATE ${tables.runs} AS runs SET
         head_seq = next.seq, head_hash = next.hash, mark = $14, updated_at = moment.at,
         attempts = CASE WHEN next.progress OR next.state IS NOT NULL THEN 0 ELSE attempts END,
         owner = CASE WHEN next.state IS NULL THEN owner END,
         expires_at = CASE WHEN next.state IS NULL THEN expires_at ELSE 0 END,
         state = CASE WHEN next.state IS NULL THEN runs.state
           WHEN next.state IN ('suspended', 'sleeping') AND ${unread} OR ${awaited} THEN 'queued' ELSE next.state END,
         waiting_on = CASE WHEN next.state = 'suspended' AND NOT ${unread} THEN next.waiting_on END,
         due_at = CASE WHEN next.state = 'queued' OR (next.state = 'sleeping' AND NOT ${unread}) THEN next.due_at END,
         settled_at = CASE WHEN next.state IN ('stopped', 'cancelled', 'failed', 'stuck') OR (next.state = 'suspended' AND NOT ${unread}) OR (next.state = 'completed' AND NOT ${awaited}) THEN moment.at END,
         ${addedFacts}
       FROM unnest($6::bigint[], $7::bigint[], $8::text[], $9::boolean[], $10::text[], $11::text[], $12::double precision[], $13::text[], ${factsColumns(15)})
         AS next (n, seq, hash, progress, state, waiting_on, due_at, unless, ${factsNames}), ${moment}
       WHERE runs.n = next.n RETURNING 1
     ) SELECT (SELECT count(*) FROM records) AS records`,
    [
      records.map(({ run }) => run.n),
      records.map(({ seq }) => seq),
      records.map(({ key }) => key),
      records.map(({ hash }) => hash),
      records.map((record) => record.text),
      column(({ n }) => n),
      column(({ seq }) => seq),
      column(({ hash }) => hash),
      column(({ progress }) => progress),
      column(({ released }) => released?.state ?? null),
      column(({ released }) => released?.waitingOn ?? null),
      column(({ released }) => released?.dueAt ?? null),
      column(({ released }) => released?.unlessSignals ?? "[]"),
      mark,
      ...factsValues(runs.map(({ facts }) => facts)),
    ],
  );
}

async function takeSignals(ask: Ask, { inbox }: Tables, written: GroupPlan["written"]): Promise<void> {
  const taken = new Map(
    written.flatMap(({ job, run }) =>
      (job.records?.taken ?? []).map(([id, name]) => [`${run.n} ${id}`, [run.n, id, name]] as const),
    ),
  );
  if (taken.size === 0) return;
  const rows = [...taken.values()];
  await ask(
    `INSERT INTO ${inbox} (run, id, name, taken) SELECT run, id, name, true FROM unnest($1::bigint[], $2::text[], $3::text[]) AS given (run, id, name)
     ON CONFLICT (run, id) DO UPDATE SET taken = true, payload = NULL`,
    [rows.map(([run]) => run), rows.map(([, id]) => id), rows.map(([, , name]) => name)],
  );
}

async function useBlobs(ask: Ask, { blobs, blobUses }: Tables, written: GroupPlan["written"]): Promise<void> {
  const uses = written.flatMap(({ job, run }) => (job.records?.blobs ?? []).map(({ hash }) => ({ hash, run: run.n })));
  if (uses.length === 0) return;
  await ask(
    `INSERT INTO ${blobUses} (hash, run) SELECT hash, run FROM unnest($1::text[], $2::bigint[]) AS given (hash, run)
     WHERE EXISTS (SELECT FROM ${blobs} AS blobs WHERE blobs.hash = given.hash) ON CONFLICT DO NOTHING`,
    [uses.map(({ hash }) => hash), uses.map(({ run }) => run)],
  );
  await ask(
    `UPDATE ${blobs} AS blobs SET awaited = greatest(0, awaited - given.times)
     FROM (SELECT hash, count(*)::integer AS times FROM unnest($1::text[]) AS named (hash) GROUP BY hash) AS given
     WHERE blobs.hash = given.hash AND awaited > 0`,
    [uses.map(({ hash }) => hash)],
  );
}

/** Error for jobs whose records have keys that already exist in their runs. */
class KeysTaken extends Error {
  readonly jobs: ReadonlyMap<Job, Error>;

  constructor(jobs: ReadonlyMap<Job, Error>) {
    super("keys are taken");
    this.jobs = jobs;
  }
}

async function keysTaken(
  ask: Ask,
  { events }: Tables,
  name: string,
  records: readonly PlannedRecord[],
): Promise<KeysTaken | StoreError> {
  const rows = await ask(
    `SELECT run, key FROM ${events} AS known JOIN unnest($1::bigint[], $2::bigint[], $3::text[]) AS given (run, seq, key) USING (run, key) WHERE known.seq <> given.seq`,
    [records.map(({ run }) => run.n), records.map(({ seq }) => seq), records.map(({ key }) => key)],
  );
  const taken = new Set(rows.map((row) => `${text(row, "run")} ${text(row, "key")}`));
  const jobs = new Map<Job, Error>();
  for (const { job, run, key } of records)
    if (taken.has(`${run.n} ${key}`) && !jobs.has(job)) jobs.set(job, duplicateKey(job.held.runId, fromColumn(key)));
  if (jobs.size > 0) return new KeysTaken(jobs);
  return new StoreError(
    "STORE_CORRUPT",
    `The store "${name}" has records beyond the head of their run: its tables were changed by another program. Restore a backup.`,
  );
}
