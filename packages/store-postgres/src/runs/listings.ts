import type { RunStore } from "@bailiwick/core/store";
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
    async listRuns({ tenantId, userId, allUsers, sessionId, agentId, state, before, limit = 50 }) {
      const values: unknown[] = [toTenant(tenantId)];
      const conditions = ["tenant = $1"];
      if (allUsers !== true && userId === undefined) conditions.push("user_id IS NULL");
      const where = (condition: string, value: unknown): void => {
        if (value === undefined) return;
        values.push(value);
        conditions.push(`${condition} $${values.length}`);
      };
      where("user_id =", allUsers === true || userId === undefined ? undefined : toColumn(userId));
      where("session_id =", sessionId === undefined ? undefined : toColumn(sessionId));
      where("agent_id =", agentId === undefined ? undefined : toColumn(agentId));
      where("state =", state);
      where("created_at <", before);
      values.push(limit);
      const rows = await database.read(
        `SELECT * FROM ${runs} WHERE ${conditions.join(" AND ")} ORDER BY created_at DESC, n DESC LIMIT $${values.length}`,
        values,
      );
      return rows.map(toStoredRun);
    },
  };
}
