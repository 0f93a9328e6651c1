import { FencedError, SessionBusyError } from "@bailiwick/core/store";
import type { Lease, RunStore } from "@bailiwick/core/store";
import type { Database } from "../connection/database.ts";
import { toColumn } from "../connection/names.ts";
import { runMissing } from "../run-missing.ts";
import { number, text, yes } from "../connection/statements.ts";
import { now } from "../schema/tables.ts";
import type { Tables } from "../schema/tables.ts";
import { isSessionFree } from "./queue-sql.ts";
import { toLease, toStoredRun } from "./run-rows.ts";

/** Leases to write runs. */
export function leasesOf(database: Database, tables: Tables): Pick<RunStore, "acquire" | "renew"> {
  const { name } = database;
  const { runs, inbox } = tables;
  const byId = `SELECT * FROM ${runs} WHERE id = $1`;
  const take = `WITH outer_run AS (${outerRun(runs, 5)})
    UPDATE ${runs} SET attempts = attempts + (state = 'running')::int, state = 'running', epoch = epoch + 1, owner = $2,
      expires_at = ${now} + $3::double precision, waiting_on = NULL, due_at = NULL, settled_at = NULL, updated_at = ${now}, mark = $4
    WHERE ($5::text IS NULL OR EXISTS (SELECT FROM outer_run)) AND id = $1 AND (state <> 'running' OR expires_at <= ${now} OR epoch = $8::bigint)
    RETURNING epoch, head_seq, head_hash, expires_at, mark`;
  const isHeld = `SELECT 1 AS held FROM ${runs} WHERE id = $1 AND epoch = $2 AND owner = $3`;
  const fenceInside = `WITH RECURSIVE inside (n, id) AS (
      SELECT n, id FROM ${runs} WHERE parent_run = $1
      UNION SELECT runs.n, runs.id FROM inside JOIN ${runs} AS runs ON runs.parent_run = inside.id),
      fenced AS (SELECT runs.n FROM ${runs} AS runs JOIN inside USING (n) WHERE runs.state = 'running' ORDER BY runs.n FOR NO KEY UPDATE OF runs)
    UPDATE ${runs} AS runs SET state = 'queued', epoch = runs.epoch + 1, owner = NULL, expires_at = 0 FROM fenced WHERE runs.n = fenced.n`;
  // Rows are locked in one order everywhere, to avoid deadlocks.
  const renew = `WITH wanted AS (SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[]) AS lease (id, epoch, owner)),
      held AS (SELECT runs.n FROM ${runs} AS runs JOIN wanted USING (id, epoch, owner) ORDER BY runs.n FOR NO KEY UPDATE OF runs)
    UPDATE ${runs} AS runs SET expires_at = ${now} + $4::double precision FROM held WHERE runs.n = held.n
    RETURNING runs.id, runs.epoch, EXISTS (SELECT FROM ${inbox} WHERE run = runs.n AND NOT taken) AS waiting`;

  return {
    acquire: (runId, owner, ttlMs, under, gone) =>
      database.write(async ({ ask, mark }) => {
        const [found] = await ask(
          `SELECT *, state = 'running' AND expires_at > ${now} AS driven FROM ${runs} WHERE id = $1`,
          [toColumn(runId)],
        );
        if (found === undefined) throw await runMissing(ask, tables, runId, name);
        if (found["session_order"] !== null && found["mark"] !== mark) {
          if (yes(found, "driven") && number(found, "epoch") !== gone) return null;
          const run = toStoredRun(found);
          if (!(await isSessionFree(ask, tables, run))) throw new SessionBusyError(run.sessionId, runId);
        }
        const values = [toColumn(runId), toColumn(owner), ttlMs, mark, ...outerColumns(under), gone ?? null];
        const [taken] = await ask(take, values);
        const [row] = taken === undefined ? await ask(byId, [toColumn(runId)]) : [taken];
        if (row === undefined) throw await runMissing(ask, tables, runId, name);
        if (row["mark"] === mark) {
          await ask(fenceInside, [toColumn(runId)]);
          return toLease(row, runId, owner);
        }
        if (under !== undefined && (await ask(isHeld, outerColumns(under))).length === 0) throw new FencedError(runId);
        return null;
      }),
    async renew(leases, ttlMs) {
      if (leases.length === 0) return [];
      const renewed = await database.write(({ ask }) =>
        ask(renew, [
          leases.map(({ runId }) => toColumn(runId)),
          leases.map(({ epoch }) => epoch),
          leases.map(({ owner }) => toColumn(owner)),
          ttlMs,
        ]),
      );
      const waiting = new Map(renewed.map((row) => [`${text(row, "epoch")} ${text(row, "id")}`, yes(row, "waiting")]));
      return leases.map(({ runId, epoch }) => {
        const found = waiting.get(`${epoch} ${toColumn(runId)}`);
        return { runId, held: found !== undefined, signalsWaiting: found === true };
      });
    },
  };
}

/** The lease on the outer run, with a shared lock, so that the outer run is not acquired before this commit. */
export function outerRun(runs: string, first: number): string {
  return `SELECT FROM ${runs} WHERE id = $${first} AND epoch = $${first + 1}::bigint AND owner = $${first + 2} FOR SHARE`;
}

/** The values of `outerRun`. */
export function outerColumns(under: Lease | undefined): (string | number | null)[] {
  return under === undefined ? [null, null, null] : [toColumn(under.runId), under.epoch, toColumn(under.owner)];
}
