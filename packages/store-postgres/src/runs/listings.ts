import type { RunStore, StoredRun } from "@bailiwick/core/store";
import type { Database } from "../connection/database.ts";
import { toColumn, toTenant } from "../connection/names.ts";
import type { Tables } from "../schema/tables.ts";
import { toStoredRun } from "./run-rows.ts";

/** Finding runs. */
export function listingsOf(database: Database, { runs }: Tables): Pick<RunStore, "getRun" | "listRuns"> {
  return {
    async getRun(runId) {
      const [row] = await database.read(`SELECT * FROM ${runs} WHERE id = $1`, [toColumn(runId)]);
      return row && toStoredRun(row);
    },
    async listRuns({ tenantId, userId, sessionId, agentId, state, before, limit = 50, ...filter }) {
      if (Array.isArray(state) && state.length === 0) return [];
      const { settledSince, settledBefore, allTenants = false, allUsers = allTenants } = filter;
      const values: unknown[] = [];
      const conditions: string[] = [];
      if (!allUsers && userId === undefined) conditions.push("user_id IS NULL");
      const where = (condition: string, value: unknown): void => {
        if (value === undefined) return;
        values.push(value);
        conditions.push(`${condition} $${values.length}`);
      };
      where("tenant =", allTenants ? undefined : toTenant(tenantId));
      where("user_id =", allUsers || userId === undefined ? undefined : toColumn(userId));
      where("session_id =", sessionId === undefined ? undefined : toColumn(sessionId));
      where("agent_id =", agentId === undefined ? undefined : toColumn(agentId));
      where("created_at <", before);
      where("settled_at >=", settledSince);
      where("settled_at <", settledBefore);
      // A literal: PostgreSQL uses a partial index on a state only if the statement names the state.
      const states = state === undefined ? [] : [state].flat();
      if (states.length > 0) conditions.push(`state IN (${states.map(stateText).join(", ")})`);
      const bySettling = settledSince !== undefined || settledBefore !== undefined;
      if (bySettling) conditions.push("parent_run IS NULL", "settled_at IS NOT NULL");
      values.push(limit);
      const filtered = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
      const order = bySettling ? "settled_at, n" : "created_at DESC, n DESC";
      const rows = await database.read(
        `SELECT * FROM ${runs} ${filtered} ORDER BY ${order} LIMIT $${values.length}`,
        values,
      );
      return rows.map(toStoredRun);
    },
  };
}

/** A state as a text of SQL. */
function stateText(state: StoredRun["state"]): string {
  return `'${state.replaceAll("'", "''")}'`;
}
