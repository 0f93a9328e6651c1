import type { RunRecord } from "@bailiwick/core/store";
import { toColumn, toTenant } from "../connection/names.ts";
import { yes } from "../connection/statements.ts";
import type { Ask } from "../connection/statements.ts";
import { now } from "../schema/tables.ts";
import type { Tables } from "../schema/tables.ts";

/** Another run of the same session. `runs` is the run in question. */
const beside = `runs.session_order IS NOT NULL AND other.session_order IS NOT NULL AND other.n <> runs.n AND other.tenant = runs.tenant
  AND other.session_id = runs.session_id AND other.user_id IS NOT DISTINCT FROM runs.user_id`;

/** True if another run of the session is driven. */
export function sessionDriven({ runs }: Tables): string {
  return `EXISTS (SELECT FROM ${runs} AS other WHERE ${beside} AND other.state = 'running' AND other.expires_at > ${now})`;
}

/** A run waits for each driven run of its session, and for earlier ones that are queued. */
export function isBehind({ runs }: Tables): string {
  return `EXISTS (SELECT FROM ${runs} AS other WHERE ${beside} AND other.state IN ('queued', 'running') AND (other.state = 'running'
    OR ((other.session_order, other.n) < (runs.session_order, runs.n) AND (other.due_at IS NULL OR other.due_at <= ${now} OR other.epoch > 0))))`;
}

/** A session as one text, for the lock that its drivers acquire. */
export const sessionLockKey = `runs.tenant || chr(1) || coalesce(runs.user_id, '') || chr(1) || runs.session_id`;

/** Locks a session until the transaction ends, and checks if another run of it is driven. */
export async function isSessionFree(
  ask: Ask,
  { runs }: Tables,
  { id, tenantId, userId, sessionId }: Pick<RunRecord, "id" | "tenantId" | "userId" | "sessionId">,
): Promise<boolean> {
  const tenant = toTenant(tenantId);
  const user = userId === undefined ? null : toColumn(userId);
  const session = toColumn(sessionId);
  await ask("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`${tenant}\u0001${user ?? ""}\u0001${session}`]);
  const [row] = await ask(
    `SELECT EXISTS (SELECT FROM ${runs} WHERE session_order IS NOT NULL AND tenant = $1 AND user_id IS NOT DISTINCT FROM $2
       AND session_id = $3 AND id <> $4 AND state = 'running' AND expires_at > ${now}) AS driven`,
    [tenant, user, session, toColumn(id)],
  );
  return row !== undefined && !yes(row, "driven");
}
