import { FencedError, SessionBusyError, StoreError } from "@bailiwick/core/store";
import type { RunStore } from "@bailiwick/core/store";
import { DatabaseFaultError } from "../connection/database-fault.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { toColumn } from "../connection/names.ts";
import type { Ask, Row } from "../connection/statements.ts";
import type { Notices } from "../inbox/notices.ts";
import { now } from "../schema/tables.ts";
import type { Tables } from "../schema/tables.ts";
import { outerColumns, outerRun } from "./leases.ts";
import { isSessionFree } from "./queue-sql.ts";
import { runColumns, toLease, toStoredRun } from "./run-rows.ts";

/** The position of a run in its session: its creation time, in microseconds. */
const order = "floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/** Maximum number of runs that one transaction creates; the rest waits for the next one. */
const largestGroup = 256;

type CreatedRun = Awaited<ReturnType<RunStore["create"]>>;

/** A run that is to be created. */
interface Wanted {
  readonly record: Parameters<RunStore["create"]>[0];
  readonly holder: Parameters<RunStore["create"]>[1];
}

interface Waiting extends Wanted {
  readonly resolve: (created: CreatedRun) => void;
  readonly reject: (error: unknown) => void;
}

/** Creates runs. Runs that are queued while others are written share the next transaction: many need one connection. */
export function creationOf(
  database: Database,
  tables: Tables,
  notices: Notices,
): Pick<RunStore, "create"> & { readonly idle: () => Promise<void> } {
  const { name } = database;
  const { runs } = tables;
  const insert = `WITH moment AS (SELECT ${now} AS at), outer_run AS (${outerRun(runs, 19)}),
      holder AS (SELECT $17::text AS owner WHERE $19::text IS NULL OR EXISTS (SELECT FROM outer_run))
    INSERT INTO ${runs} (id, agent_id, definition_hash, session_id, tenant, user_id, parent, parent_run, input, deadline_at, idempotency_key,
      due_at, priority, session_order, words, enqueued_at, mark, owner, expires_at, state, epoch, head_seq, head_hash, attempts, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::double precision, $13, CASE WHEN $14::boolean THEN ${order} END, $15, greatest((SELECT at FROM moment), $12::double precision), $16, (SELECT owner FROM holder), coalesce((SELECT at FROM moment) + $18::double precision, 0),
      CASE WHEN (SELECT owner FROM holder) IS NULL THEN 'queued' ELSE 'running' END,
      CASE WHEN (SELECT owner FROM holder) IS NULL THEN 0 ELSE 1 END, 0, '', 0, (SELECT at FROM moment), (SELECT at FROM moment))
    ON CONFLICT DO NOTHING RETURNING *`;
  const byKey = `SELECT * FROM ${runs} WHERE tenant = $1 AND (user_id IS NULL) = ($2::text IS NULL)
      AND coalesce(user_id, '') = coalesce($2::text, '') AND idempotency_key = $3`;
  const byId = `SELECT * FROM ${runs} WHERE id = $1`;

  /** The run that already has an idempotency key; `values` are the columns of the new one. */
  const keyHolder = async (ask: Ask, key: string | undefined, values: readonly unknown[]): Promise<Row | undefined> =>
    key === undefined ? undefined : (await ask(byKey, [values[4], values[5], toColumn(key)]))[0];

  async function createIn({ ask, mark }: Transaction, { record, holder }: Wanted): Promise<CreatedRun> {
    const values = [
      ...runColumns(record),
      mark,
      holder ? toColumn(holder.owner) : null,
      holder?.ttlMs ?? null,
      ...outerColumns(holder?.under),
    ];
    const free = holder === undefined || record.inSession !== true || (await isSessionFree(ask, tables, record));
    for (;;) {
      const [made] = free ? await ask(insert, values) : [];
      const found = made ?? (await ask(byId, [toColumn(record.id)]))[0];
      // A row with the mark was made by an earlier attempt of this call, whose answer was lost.
      if (found?.["mark"] === mark) {
        // The run is left to the process that acquired the outer one.
        if (holder?.under !== undefined && found["owner"] === null) throw new FencedError(record.id);
        const lease = holder && toLease(found, record.id, holder.owner);
        if (lease === undefined) await notices.tellOthers(ask);
        return { run: toStoredRun(found), created: true, lease };
      }
      const known = await keyHolder(ask, record.idempotencyKey, values);
      if (known !== undefined) return { run: toStoredRun(known), created: false };
      if (found !== undefined) {
        throw new StoreError("RUN_EXISTS", `Run "${record.id}" is already in the store "${name}". Use a new id.`, {
          runId: record.id,
        });
      }
      if (!free) throw new SessionBusyError(record.sessionId, record.id);
      // The conflicting row was deleted in the meantime.
    }
  }

  /** Creates a group in one transaction. A run that is refused does not affect the others. */
  async function createAll(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await database.write(async (transaction) => {
        const made: (() => void)[] = [];
        for (const wanted of group) {
          try {
            const created = await createIn(transaction, wanted);
            made.push(() => wanted.resolve(created));
          } catch (error) {
            if (error instanceof DatabaseFaultError) throw error;
            made.push(() => wanted.reject(error));
          }
        }
        return made;
      });
      for (const tell of outcomes) tell();
    } catch (error) {
      // A value that the server refuses must not affect the others.
      if (group.length > 1 && error instanceof StoreError && !error.retryable)
        for (const one of group) await createAll([one]);
      else for (const { reject } of group) reject(error);
    }
  }

  let queue: Waiting[] = [];
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const group = queue.slice(0, largestGroup);
      queue = queue.slice(largestGroup);
      await createAll(group);
    }
    draining = undefined;
  }

  return {
    async create(record, holder) {
      // A run that is driven at once locks its session and the outer run: other runs would wait for them in its group.
      const created = await (holder === undefined
        ? new Promise<CreatedRun>((resolve, reject) => {
            queue.push({ record, holder, resolve, reject });
            draining ??= drain();
          })
        : database.write((transaction) => createIn(transaction, { record, holder })));
      if (created.created && created.lease === undefined) notices.tellReady();
      return created;
    },
    idle: async () => draining,
  };
}
