import { SessionNotFoundError, StoreError } from "@bailiwick/core/store";
import type { Owner, SessionStore } from "@bailiwick/core/store";
import type { Database, Transaction } from "../connection/database.ts";
import { sharedOwner, toColumn, toOwner, toTenant } from "../connection/names.ts";
import type { Tables } from "../schema/tables.ts";
import { sessionColumns } from "./join-session.ts";

/** Moves sessions to another owner. */
export function handOverOf(database: Database, { sessions, runs }: Tables): Pick<SessionStore, "share" | "claim"> {
  /** In a transaction: true if the session moved, now or by an earlier attempt of this write, whose answer was lost. */
  async function move(
    { ask, mark }: Transaction,
    id: string,
    from: Owner | undefined,
    owner: string,
  ): Promise<boolean> {
    const columns = sessionColumns(id, from);
    const [taken] = await ask(
      `SELECT mark FROM ${sessions} WHERE tenant = $1 AND owner = $2 AND id = $3 FOR NO KEY UPDATE`,
      [columns[0], owner, columns[2]],
    );
    if (taken?.["mark"] === mark) return true;
    const [own] = await ask(
      `SELECT n FROM ${sessions} WHERE tenant = $1 AND owner = $2 AND id = $3 FOR NO KEY UPDATE`,
      columns,
    );
    if (own === undefined) return false;
    if (taken !== undefined) throw exists(id);
    await ask(`UPDATE ${sessions} SET owner = $2, mark = $3 WHERE n = $1`, [own["n"], owner, mark]);
    return true;
  }

  return {
    share: (id, owner) =>
      database.write(async (transaction) => {
        if (!(await move(transaction, id, owner, sharedOwner))) throw new SessionNotFoundError(id, owner);
      }),
    claim: (id, { tenantId, userId }) =>
      database.write(async (transaction) => {
        const moved = await move(transaction, id, { tenantId }, toOwner(userId));
        // If the user has the key for another run, that run keeps it.
        const handed = await transaction.ask(
          `WITH RECURSIVE claimed (n, id) AS (
             SELECT n, id FROM ${runs} WHERE tenant = $1 AND session_id = $2 AND user_id IS NULL
             UNION SELECT inner_runs.n, inner_runs.id FROM claimed JOIN ${runs} AS inner_runs ON inner_runs.parent_run = claimed.id
               WHERE inner_runs.user_id IS NULL
           ) UPDATE ${runs} AS run SET user_id = $3, idempotency_key = CASE WHEN NOT EXISTS (
               SELECT FROM ${runs} AS other WHERE other.tenant = $1 AND other.user_id = $3 AND other.idempotency_key = run.idempotency_key
             ) THEN idempotency_key END
           FROM claimed WHERE run.n = claimed.n RETURNING run.n`,
          [toTenant(tenantId), toColumn(id), toColumn(userId)],
        );
        if (!moved && handed.length === 0) throw new SessionNotFoundError(id, { tenantId });
      }),
  };
}

/** The owner has a session with this id. */
export function exists(id: string): StoreError {
  return new StoreError("SESSION_EXISTS", `There is a session "${id}" already. Choose another id, or delete it first.`);
}
