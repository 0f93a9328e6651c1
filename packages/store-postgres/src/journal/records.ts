import { JournalTamperedError, checkBatch } from "@bailiwick/core/store";
import type { JournalEvent, RunStore } from "@bailiwick/core/store";
import type { Database } from "../connection/database.ts";
import { toColumn } from "../connection/names.ts";
import { number, text } from "../connection/statements.ts";
import { runMissing } from "../run-missing.ts";
import type { Notices } from "../inbox/notices.ts";
import type { Tables } from "../schema/tables.ts";
import { chained } from "./chained.ts";
import type { GroupCommit } from "./group-commit.ts";
import { toHeld, toRecords, toReleased } from "./jobs.ts";

/** Number of records that are read at once. */
const mostRecords = 512;

/** Writing and reading journals. */
export function recordsOf(
  database: Database,
  tables: Tables,
  commits: GroupCommit,
  notices: Pick<Notices, "tellReady">,
): Pick<RunStore, "append" | "release" | "load" | "get"> {
  const { runs, events } = tables;
  const piece = `SELECT head_seq, head_hash, (SELECT encode(hash, 'hex') FROM ${events} WHERE run = runs.n AND seq = $2) AS before,
      record.seq, encode(record.hash, 'hex') AS hash, record.text
    FROM ${runs} AS runs LEFT JOIN LATERAL (
      SELECT seq, hash, text FROM ${events} WHERE run = runs.n AND seq > $2 ORDER BY seq LIMIT $3
    ) AS record ON true WHERE runs.id = $1 ORDER BY record.seq`;

  /**
   * Records after a given one, verified against their hash chain; one statement, so all belong to one point in time.
   */
  async function read(runId: string, afterSeq: number): Promise<{ readonly texts: string[]; readonly more: boolean }> {
    const rows = await database.read(piece, [toColumn(runId), afterSeq, mostRecords]);
    const [first] = rows;
    if (first === undefined) throw await runMissing(database.read.bind(database), tables, runId, database.name);
    const headSeq = number(first, "head_seq");
    let hash = afterSeq === 0 ? "" : (first["before"] ?? "");
    let seq = afterSeq;
    const texts: string[] = [];
    for (const row of rows) {
      if (row["seq"] === null) break;
      const recordText = text(row, "text");
      seq += 1;
      hash = chained(hash, recordText);
      if (number(row, "seq") !== seq || hash !== text(row, "hash")) throw tampered(runId, seq);
      texts.push(recordText);
    }
    if (texts.length === 0 && seq < headSeq) throw tampered(runId, seq + 1);
    const more = texts.length === mostRecords && seq < headSeq;
    if (texts.length > 0 && !more && (seq !== headSeq || hash !== text(first, "head_hash")))
      throw tampered(runId, seq + 1);
    return { texts, more };
  }

  return {
    async append(lease, given, attachments) {
      checkBatch(lease, given);
      const head = await commits.add({ held: toHeld(lease), records: toRecords(given, attachments) });
      return head ?? lease.head;
    },
    async release(lease, next, session) {
      await commits.add({ held: toHeld(lease), released: toReleased(next, session) });
      notices.tellReady();
    },
    async load(runId, afterSeq = 0) {
      const loaded: JournalEvent[] = [];
      for (;;) {
        const { texts, more } = await read(runId, afterSeq + loaded.length);
        for (const one of texts) loaded.push(JSON.parse(one) as JournalEvent);
        if (!more) return loaded;
      }
    },
    async get(runId, key) {
      const [row] = await database.read(
        `SELECT text FROM ${events} JOIN ${runs} AS runs ON runs.n = run WHERE runs.id = $1 AND key = $2`,
        [toColumn(runId), toColumn(key)],
      );
      return row && (JSON.parse(text(row, "text")) as JournalEvent);
    },
  };
}

function tampered(runId: string, seq: number): JournalTamperedError {
  return new JournalTamperedError(
    runId,
    seq,
    `The hash chain of run "${runId}" breaks at record ${seq}: the database was changed or damaged. Restore it from a backup.`,
  );
}
